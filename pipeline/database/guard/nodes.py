"""Which kinds of syntax a read-only statement may hold. What isn't listed is refused.

The names are sqlglot's expression classes. A class that a later sqlglot adds is refused until it is
listed here.
"""

from __future__ import annotations

from typing import Any

from pipeline.database.names import name_set

ROOTS = frozenset(["Select", "Union", "Intersect", "Except", "Subquery", "Values", "Pivot"])
"""What a statement may be."""

SYNTAX = name_set("""
    Add Adjacent Alias Aliases All Any AtTimeZone Between BitString BitwiseAnd BitwiseLeftShift
    BitwiseNot BitwiseOr BitwiseRightShift BitwiseXor Boolean Bracket ByteString CTE Changes
    CharacterSet Cluster Column ColumnConstraint ColumnDef ColumnPrefix Comprehension Connect
    Cube DPipe DataType DataTypeParam DefaultColumnConstraint Describe Distance DistanceNd
    Distinct Distribute Div Dot EQ Escape Except ExtendsLeft ExtendsRight Fetch Filter Final
    ForClause ForIn FormatJson FormatPhrase From FromTimeZone GT GTE Glob Group GroupingSets
    Having HavingMax Heredoc HexString Hint HistoricalData ILike Identifier IgnoreNulls In
    IndexTableHint IntDiv Intersect Interval IntervalOp IntervalSpan Introducer Is JSON
    JSONColumnDef JSONExtractQuote JSONKeyValue JSONPath JSONPathFilter JSONPathKey JSONPathPart
    JSONPathRecursive JSONPathRoot JSONPathScript JSONPathSelector JSONPathSlice
    JSONPathSubscript JSONPathUnion JSONPathWildcard JSONSchema JSONValue Join JoinHint Kwarg LT
    LTE Lambda Lateral Like Limit LimitOptions Literal Match MatchRecognize
    MatchRecognizeMeasure Mod Mul NEQ National Neg NestedJSONSelect Not NotNullColumnConstraint
    Null NullSafeEQ NullSafeNEQ ObjectIdentifier Offset OnCondition Opclass OpenJSONColumnDef
    Operator Order Ordered OverflowTruncateBehavior Overlaps Paren Partition
    PartitionedByProperty PathColumnConstraint Pivot PivotAlias PivotAny PositionalColumn
    PreWhere Prior PropertyEQ PseudoType Pseudocolumn Qualify QueryOption RawString
    RecursiveWithSearch RespectNulls Rollup ScopeResolution Select SessionParameter SimilarTo
    SkipJSONColumn Slice Sort Star Sub Subquery Summarize Table TableAlias TableColumn
    TableFromRows TableSample TimeUnit TranslateCharacters Tuple Union UnpivotColumns Values Var
    Variadic Version Where Window WindowSpec With WithFill WithOperator WithTableHint
    WithinGroup XMLKeyValueOption XMLNamespace
    """)
"""Syntax that only reads."""

FUNCTIONS = name_set("""
    Abs Acos Acosh AddMonths Agg And AnyValue Apply ApproxDistinct ApproxPercentileAccumulate
    ApproxPercentileCombine ApproxPercentileEstimate ApproxQuantile ApproxQuantiles ApproxTopK
    ApproxTopKAccumulate ApproxTopKCombine ApproxTopKEstimate ApproxTopSum ApproximateSimilarity
    ArgMax ArgMin Array ArrayAgg ArrayAll ArrayAny ArrayAppend ArrayCompact ArrayConcat
    ArrayConcatAgg ArrayConstructCompact ArrayContainedBy ArrayContains ArrayContainsAll
    ArrayDistinct ArrayExcept ArrayFilter ArrayFirst ArrayInsert ArrayIntersect ArrayLast
    ArrayMax ArrayMin ArrayOverlaps ArrayPosition ArrayPrepend ArrayRemove ArrayRemoveAt
    ArrayReverse ArraySize ArraySlice ArraySort ArraySum ArrayToString ArrayUnionAgg
    ArrayUniqueAgg ArraysZip Ascii Asin Asinh Atan Atan2 Atanh Avg Base64DecodeBinary
    Base64DecodeString Base64Encode BitLength BitmapBitPosition BitmapBucketNumber
    BitmapConstructAgg BitmapCount BitmapOrAgg BitwiseAndAgg BitwiseCount BitwiseOrAgg
    BitwiseXorAgg Booland Boolnot Boolor BoolxorAgg ByteLength Case Cast CastToStrType Cbrt Ceil
    CheckJson CheckXml Chr CityHash64 Coalesce CodePointsToBytes CodePointsToString Collate
    Collation Columns Compress Concat ConcatWs ConnectByRoot Contains Convert ConvertTimezone
    ConvertToCharset Corr Cos Cosh CosineDistance Cot Coth Count CountIf CovarPop CovarSamp Csc
    Csch CumeDist CurrentAccount CurrentAccountName CurrentAvailableRoles CurrentCatalog
    CurrentClient CurrentDatabase CurrentDate CurrentDatetime CurrentIpAddress
    CurrentOrganizationName CurrentOrganizationUser CurrentRegion CurrentRole CurrentRoleType
    CurrentSchema CurrentSchemas CurrentSecondaryRoles CurrentSession CurrentStatement
    CurrentTime CurrentTimestamp CurrentTimestampLTZ CurrentTimezone CurrentTransaction
    CurrentUser CurrentUserId CurrentVersion CurrentWarehouse Date DateAdd DateBin DateDiff
    DateFromParts DateFromUnixDate DateStrToDate DateSub DateToDateStr DateToDi DateTrunc
    Datetime DatetimeAdd DatetimeDiff DatetimeSub DatetimeTrunc Day DayOfMonth DayOfWeek
    DayOfWeekIso DayOfYear Dayname Decode DecodeCase DecompressBinary DecompressString Decrypt
    DecryptRaw Degrees DenseRank DiToDate DotProduct Elt Encode Encrypt EncryptRaw EndsWith
    EqualNull EuclideanDistance Exists Exp Explode ExplodingGenerateSeries Extract Factorial
    FarmFingerprint First FirstValue Flatten Float64 Floor Format FromBase FromBase32 FromBase64
    FromISO8601Date FromISO8601Timestamp FromISO8601TimestampNanos FromJson GapFill
    GenerateDateArray GenerateSeries GenerateTimestampArray Generator GetExtract GetIgnoreCase
    Getbit Greatest GroupConcat Grouping GroupingId HashAgg Hex HexDecodeString Hll Host Hour If
    Initcap Inline Int64 IsArray IsAscii IsInf IsNan IsNullValue JSONArray JSONArrayAgg
    JSONArrayAppend JSONArrayContains JSONArrayInsert JSONBContains JSONBContainsAllTopKeys
    JSONBContainsAnyTopKeys JSONBContainsTopKey JSONBDeleteAtPath JSONBExists JSONBExtract
    JSONBExtractScalar JSONBObjectAgg JSONBPathExists JSONBool JSONCast JSONExists JSONExtract
    JSONExtractArray JSONExtractScalar JSONFormat JSONKeys JSONKeysAtDepth JSONObject
    JSONObjectAgg JSONRemove JSONSet JSONStripNulls JSONTable JSONType JSONValueArray
    JarowinklerSimilarity JustifyDays JustifyHours JustifyInterval Kurtosis Lag Last LastDay
    LastValue LaxBool LaxFloat64 LaxInt64 LaxString Lead Least Left Length Levenshtein List Ln
    Localtime Localtimestamp Log LogicalAnd LogicalOr Lower LowerHex MD5 MD5Digest
    MD5NumberLower64 MD5NumberUpper64 MakeInterval ManhattanDistance Map MapCat MapContainsKey
    MapDelete MapFromEntries MapInsert MapKeys MapPick MapSize MatchAgainst Max Median Min
    Minhash MinhashCombine Minute Mode Month Monthname MonthsBetween Nanvl Negative NetFunc
    NextDay Normal Normalize NthValue Ntile Nullif NumberToStr Nvl2 ObjectAgg ObjectId
    ObjectInsert ObjectTransform OpenJSON Or Overlay Pad ParseBignumeric ParseDatetime ParseIp
    ParseJSON ParseNumeric ParseTime ParseUrl PercentRank PercentileCont PercentileDisc Pi
    Posexplode PosexplodeOuter Pow PreviousDay Quantile Quarter Radians Rand Randn Randstr
    RangeBucket RangeN Rank Reduce RegDomain RegexpCount RegexpExtract RegexpExtractAll
    RegexpFullMatch RegexpILike RegexpInstr RegexpLike RegexpReplace RegexpSplit RegexpSubstr
    RegrAvgx RegrAvgy RegrCount RegrIntercept RegrR2 RegrSlope RegrSxx RegrSxy RegrSyy RegrValx
    RegrValy Repeat Replace Reverse Right Rint Round RowNumber RtrimmedLength SHA SHA1Digest
    SHA2 SHA2Digest SafeAdd SafeConvertBytesToString SafeDivide SafeFunc SafeMultiply SafeNegate
    SafeSubtract Search SearchIp Sec Sech Second Seq1 Seq2 Seq4 Seq8 SessionUser Shuffle Sign
    Sin Sinh Skewness Soundex SoundexP123 Space Split SplitPart SplitToTable Sqrt StDistance
    StPoint Stack StandardHash StarMap StartsWith Stddev StddevPop StddevSamp StrPosition
    StrToDate StrToMap StrToTime StrToUnix String StringToArray StripNullValue Strtok
    StrtokSplitToTable StrtokToArray Struct StructExtract Stuff Substring SubstringIndex Sum
    Systimestamp Tan Tanh Time TimeAdd TimeDiff TimeFromParts TimeSlice TimeStrToDate
    TimeStrToTime TimeStrToUnix TimeSub TimeToStr TimeToTimeStr TimeToUnix TimeTrunc Timestamp
    TimestampAdd TimestampDiff TimestampFromParts TimestampLtzFromParts TimestampSub
    TimestampTrunc TimestampTzFromParts ToArray ToBase32 ToBase64 ToBinary ToBoolean ToChar
    ToCodePoints ToDays ToDecfloat ToDouble ToMap ToNumber ToVariant Transform Translate Trim
    Trunc Try TryBase64DecodeBinary TryBase64DecodeString TryCast TryHexDecodeBinary
    TryHexDecodeString TryToDecfloat TsOrDiToDi TsOrDsAdd TsOrDsDiff TsOrDsToDate
    TsOrDsToDateStr TsOrDsToDatetime TsOrDsToTime TsOrDsToTimestamp Typeof Unhex Unicode Uniform
    UnixDate UnixMicros UnixMillis UnixSeconds UnixToStr UnixToTime UnixToTimeStr Unnest Upper
    UtcDate UtcTime UtcTimestamp Uuid VarMap Variance VariancePop Week WeekOfYear WeekStart
    WeightString WidthBucket XMLElement XMLGet XMLTable Xor Year YearOfWeek YearOfWeekIso Zipf
    """)
"""Functions that sqlglot knows and that neither write, wait, call out nor read files.

Left out: model calls (`AI…`, `Generate…`, `ML…`, `Predict`), readers of files (`ReadCSV`,
`ReadParquet`, `ToFile`), `NextValueFor`, `Secret`, `VectorSearch`, and `DynamicIdentifier`, which
stands for a function whose name is computed.
"""

SPOKEN = {
    "Alter": "ALTER", "Analyze": "ANALYZE", "Attach": "ATTACH", "Cache": "CACHE",
    "Commit": "COMMIT", "Command": "a command", "Copy": "COPY",
    "Create": "CREATE", "Declare": "DECLARE",
    "Delete": "DELETE", "Describe": "DESCRIBE", "Detach": "DETACH", "Drop": "DROP",
    "DynamicIdentifier": "a computed name (IDENTIFIER)",
    "Execute": "EXECUTE", "ExecuteSql": "EXECUTE",
    "Export": "EXPORT", "Get": "GET", "Grant": "GRANT", "Insert": "INSERT", "Install": "INSTALL",
    "Into": "INTO", "Kill": "KILL", "LoadData": "LOAD DATA",
    "Lock": "a row lock (FOR UPDATE/SHARE)",
    "Merge": "MERGE", "MultitableInserts": "INSERT", "NextValueFor": "NEXT VALUE FOR",
    "Parameter": "a variable", "Placeholder": "a placeholder", "Pragma": "PRAGMA", "Put": "PUT",
    "Refresh": "REFRESH", "Revoke": "REVOKE", "Rollback": "ROLLBACK", "Set": "SET", "Show": "SHOW",
    "Summarize": "SUMMARIZE", "Transaction": "BEGIN", "TruncateTable": "TRUNCATE",
    "UnicodeString": "a U&'…' string", "Update": "UPDATE", "Use": "USE",
}  # fmt: skip
"""How a refusal calls what it found."""

WRITING = frozenset(SPOKEN) - {"Describe", "Parameter", "Placeholder", "Summarize"}
"""What weighs more than a name that nobody knows."""

STATEMENT_WORDS = name_set("""
    ABORT ALTER ANALYZE ASSERT ATTACH AUDIT BACKUP BEGIN BINLOG BREAK CACHE CALL CHANGE CHECK
    CHECKPOINT CHECKSUM CLONE CLOSE CLUSTER COMMENT COMMIT COPY CREATE DBCC DEALLOCATE DECLARE
    DELETE DENY DESC DESCRIBE DETACH DISCARD DO DROP ELSE END EXEC EXECUTE EXPLAIN EXPORT FETCH
    FLASHBACK FLUSH FOR FORCE GET GRANT HANDLER HELP IF IMPORT INSERT INSTALL KILL LET LIST LISTEN
    LOAD LOCK LOOP LS MERGE MOVE NOAUDIT NOTIFY OPTIMIZE PRAGMA PREPARE PURGE PUT RAISE REASSIGN
    REFRESH REINDEX RELEASE REMOVE RENAME REPAIR REPEAT REPLACE RESET RESTORE RETURN REVERT REVOKE
    RM ROLLBACK SAVEPOINT SECURITY SET SHOW SHUTDOWN SIGNAL START STOP TRUNCATE UNDROP UNINSTALL
    UNLISTEN UNLOAD UNLOCK UNSET UPDATE USE VACUUM WAITFOR WHILE XA
    """)
"""First words of statements that are no query, in any dialect."""

WRITING_WORDS = name_set(
    """
    ALTER CALL CREATE DELETE DROP DUMPFILE EXEC EXECUTE INSERT INTO MERGE OUTFILE PROCEDURE TRUNCATE
    UPDATE
    """
)
"""What a statement that can't be parsed is blamed on, if it holds one."""

TSQL_WORDS = name_set("""
    ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE
    DELETE DENY DISK DROP DUMP EXEC EXECUTE FETCH GOTO GRANT IF INSERT KILL LINENO LOAD MERGE OPEN
    OPENDATASOURCE
    OPENQUERY OPENROWSET PRINT RAISERROR READTEXT RECONFIGURE RESTORE RETURN REVERT REVOKE
    ROLLBACK SAVE SET SETUSER SHUTDOWN THROW TRAN TRUNCATE UPDATE UPDATETEXT USE WAITFOR WHILE
    WRITETEXT
    """)
"""Reserved words of T-SQL: it needs no `;` between statements, so none may stand unquoted."""

LOCK_HINTS = name_set("""
    HOLDLOCK PAGLOCK READCOMMITTEDLOCK REPEATABLEREAD ROWLOCK SERIALIZABLE TABLOCK TABLOCKX UPDLOCK
    XLOCK
    """)
"""T-SQL table hints that take or keep locks."""

FIRST_TOKENS = {"Lock": ("FOR", "LOCK"), "Parameter": ("@", "$"), "Placeholder": (":", "?")}
"""By what to find nodes whose place the parser doesn't keep."""

_BEGINNING = ("Alter", "Create", "Delete", "Drop", "Insert", "Merge", "Update")


def first_words(node: Any) -> tuple[tuple[str, ...], Any]:
    """Return the words that begin a node and the part before which the last of them stands."""
    kind = type(node).__name__
    if kind in _BEGINNING:
        return (kind.upper(),), node
    if kind == "Operator":
        return ("OPERATOR",), node.expression
    method = node.args.get("method") if kind == "TableSample" else None
    return ((method.name.upper(),), node) if method is not None else ((), node)
