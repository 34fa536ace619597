"""Words as people and schemas use them: stems, stop words, everyday synonyms, abbreviations.

Index and search must treat words alike, so both take them from here. The lists are short and
general on purpose: what a business calls its own things belongs in semantic.yaml.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path

from pipeline.text import words

_STOP_WORDS = """
a about after again all also an and any are as at average be been before being below between
both but by called can could did different do does doing done down during each either ever
every few find following for from further get gets give given go goes got had has have
having he her here hers highest him his how i if in into is it its just know largest latest
least less let like list long longest lowest made make many maximum may me mean mean minimum
more most much must my name names never no nor not now number of off on once one only or
other our out over overall own per please report same second several she should show shows
shown since so some still such tell ten than that the their them then there these they third
this those three through to together too top total two under until up us use used very was
we were what when where which while who whom whose why will with within without would yet
you your five four six seven eight nine first last percentage proportion share ratio sum
count counted counting ended appear appears return provide mention belong belongs currently
i.e e.g ie eg etc according based along against
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that say how to answer rather than what about."""

_IRREGULAR = {
    "people": "person", "persons": "person", "sold": "sell", "bought": "buy", "paid": "pay",
    "women": "woman", "men": "man", "children": "child", "spent": "spend", "wrote": "write",
    "written": "write", "sent": "send", "held": "hold", "met": "meet", "lost": "lose",
    "taught": "teach", "won": "win", "ran": "run", "taken": "take", "took": "take",
    "chosen": "choose", "grew": "grow", "staff": "staff", "data": "data", "media": "media",
    "indices": "index", "feet": "foot", "mice": "mouse", "criteria": "criterion", "bom": "bom",
    "born": "birth", "died": "death", "won't": "will", "flew": "fly", "flown": "fly",
    "drove": "drive", "shelves": "shelf", "series": "series", "species": "species", "news": "news",
}  # fmt: skip

_SYNONYMS = """
staff employee worker personnel colleague workforce
salesperson salesman seller agent representative rep
salesperson salespeople > sale person employee
client customer consumer buyer shopper
user member account
turnover revenue sale income proceeds takings
turnover revenue spend proceeds takings > order invoice total amount
sell sold > sale order
buy purchase procure
buy bought acquire > order invoice
spend > invoice payment amount purchase
vendor supplier
vendor supplier > purchase
product item article merchandise good sku
component part
assembly component part > bom
assembly component part ingredient > material
invoice bill
shop store outlet branch retailer
reseller dealer distributor retailer store
reseller dealer > customer
cost price expense charge fee
dear dearer expensive pricey cheap cheaper worth > price cost value
popular > sale order
shelf > stock inventory
wage salary pay compensation payroll remuneration
firm company business organization organisation enterprise corporation
city town municipality
country nation
nationality > country
state province region
region territory area zone
zip postal postcode
phone telephone mobile
email mail
manager boss supervisor chief
hire employ recruit
applicant candidate
film movie
song track
band artist musician singer performer
music > track genre
category type kind class group
discount rebate reduction offer promotion deal
warehouse stock inventory
deliver ship dispatch
carrier shipper courier haulier forwarder
freight shipping
quantity amount count qty
unit piece > quantity
address location place
live reside > address city
doctor physician
pupil student
course class
teacher instructor professor lecturer faculty
car vehicle automobile
airplane plane aircraft
author writer
job position title role occupation
department division
complaint ticket issue case
review rating feedback comment opinion
movement transaction
refund return
scrap waste reject
manufacture produce
manufacture > work
contract agreement
language culture
translate > language culture description
gender sex
birthday birth
old age > birth
match game
team club
player athlete
competition tournament contest
school college university
score point grade mark
photo picture image
subscription membership
loan credit
begin start
finish end
duration playtime > length time minute second
nickname alias
weight mass
height size
heavy > weight
colour color
catalogue catalog
visit visitor
illness disease diagnosis
drug medicine medication
airline carrier
station stop
"""
"""A line is a group of words for one thing; those before `>` may lead to those after it."""

ABBREVIATIONS = {
    "acct": "account", "addr": "address", "adr": "address", "adj": "adjustment",
    "amt": "amount", "appt": "appointment", "art": "article", "attr": "attribute",
    "auth": "authorization", "avail": "available", "avg": "average", "bal": "balance",
    "bom": "bill of materials", "brnch": "branch", "cat": "category", "catg": "category",
    "ccy": "currency", "cd": "code", "chg": "charge", "cmp": "company", "cnt": "count",
    "cntry": "country", "co": "company", "comm": "comment", "comp": "company",
    "cpny": "company", "ctgry": "category", "ctr": "center", "ctry": "country", "cty": "city",
    "cur": "currency", "curr": "currency", "cust": "customer", "cstmr": "customer",
    "dept": "department", "dpt": "department", "desc": "description", "descr": "description",
    "dest": "destination", "dim": "dimension", "disc": "discount", "dist": "district",
    "div": "division", "dlv": "delivery", "dob": "date of birth", "doc": "document",
    "dt": "date", "dtl": "detail", "emp": "employee", "empl": "employee", "eqp": "equipment",
    "equip": "equipment", "est": "estimate", "exp": "expense", "fac": "facility",
    "fclt": "facility", "fname": "first name", "fst": "first", "genl": "general",
    "gl": "general ledger", "grp": "group", "hdr": "header", "hist": "history",
    "hr": "human resources", "img": "image", "info": "information", "ins": "insurance",
    "inv": "invoice inventory", "invc": "invoice", "invt": "inventory", "itm": "item",
    "lang": "language", "lname": "last name", "ln": "line", "loc": "location", "lvl": "level",
    "maint": "maintenance", "mat": "material", "mfg": "manufacturing", "mgr": "manager",
    "mngr": "manager", "mkt": "market", "msg": "message", "mth": "month", "natl": "national",
    "nbr": "number", "nm": "name", "num": "number", "ord": "order", "ordr": "order",
    "org": "organization", "orig": "origin", "pct": "percent", "perf": "performance",
    "phn": "phone", "pmt": "payment", "pymt": "payment", "po": "purchase order",
    "pos": "position", "prc": "price", "prd": "product", "prdct": "product", "prod": "product",
    "proj": "project", "prov": "province", "prsn": "person", "pers": "person", "pt": "patient",
    "purch": "purchase", "qty": "quantity", "qnt": "quantity", "rec": "record",
    "ref": "reference", "reg": "region", "rgn": "region", "rel": "relation",
    "rep": "representative", "req": "request", "rsn": "reason", "rte": "route", "sal": "salary",
    "sched": "schedule", "sku": "stock item", "sls": "sales", "so": "sales order",
    "spec": "specification", "sta": "station", "stat": "status", "std": "standard",
    "str": "street", "sts": "status", "stu": "student", "sup": "supplier", "supp": "supplier",
    "splr": "supplier", "svc": "service", "srvc": "service", "tel": "telephone",
    "temp": "temperature", "terr": "territory", "tot": "total", "tran": "transaction",
    "trans": "transaction", "trn": "transaction", "trx": "transaction", "txn": "transaction",
    "typ": "type", "univ": "university", "usr": "user", "vend": "vendor", "vndr": "vendor",
    "veh": "vehicle", "vol": "volume", "whse": "warehouse", "wh": "warehouse",
    "wo": "work order", "wrk": "work", "yr": "year",
}  # fmt: skip
"""How schemas shorten words, and what they mean."""

_WEAK_WORDS = """
day days week weeks month months year years hour hours time times date dates dated people
person persons value values amount part parts kind kinds way ways thing things half pieces
piece case cases full go going gone come comes came take takes took taken put still today
old new recent yearly monthly daily later earlier sent pass really figure figures
"""
WEAK_WORDS = frozenset(_WEAK_WORDS.split())
"""Words that many tables could explain: they tell little of which one is meant."""

_NOISE_WORDS = """
tbl tb t table view vw v dim fact fct stg dw dwh lk lkp lkup lookup ref mst master xref
"""
NOISE_WORDS = frozenset(_NOISE_WORDS.split())
"""Affixes that tell a table's technical role."""
_VOWEL = re.compile(r"[aeiouy]")
_CLOSED = re.compile(r"[^aeiou][aeiou][^aeiouywx]")


@cache
def stem(word: str) -> str:
    """Return what is left of a lower-case English word without its inflection.

    Lighter than Porter: only what keeps the word's meaning goes (plural, -ing, -ed, -ment).
    """
    if _IRREGULAR.get(word) == word:
        return word
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    word = _without_plural(word.removesuffix("'s"))
    for suffix in ("ing", "ed"):
        base = word.removesuffix(suffix)
        if base != word and len(base) >= 3 and _VOWEL.search(base) and not word.endswith("eed"):
            word = base + "e" if len(base) == 3 and _CLOSED.fullmatch(base) else base
            break
    base = word.removesuffix("ment")
    if base != word and (len(base) >= 4 or base == "pay"):
        word = base
    doubled = len(word) > 3 and word[-1] == word[-2]
    if doubled and (word[-1] not in "lsz" or (word[-1] == "l" and len(word) > 5)):
        word = word[:-1]
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def _without_plural(word: str) -> str:
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word.removesuffix("s")


def stems(text: str) -> list[str]:
    """Return the stems of all words of an identifier or a sentence, in order."""
    return [stem(word) for word in words(text)]


def folded(text: str) -> str:
    """Return how values and phrases are compared: case, padding, punctuation and plural gone."""
    return " ".join(_without_plural(w) if len(w) > 3 else w for w in words(text))


SAME = 0.65
LEADS_TO = 0.5
"""How much of a word's weight a synonym keeps, and a word that it only leads to."""


@cache
def _synonym_table() -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for line in _SYNONYMS.strip().splitlines():
        left, directed, right = line.partition(">")
        group = [stem(word) for word in left.split()]
        for word in group:
            meant = [stem(w) for w in right.split()] if directed else group
            share = LEADS_TO if directed else SAME
            for other in meant:
                known = table.setdefault(word, {})
                known[other] = max(known.get(other, 0.0), share)
    return table


@cache
def related(word: str) -> dict[str, float]:
    """Return stems that may stand for a word, and how well.

    They are synonyms, a doer's deed, and what an abbreviation means.
    """
    found = dict(_synonym_table().get(stem(word), {}))
    others = [stem(long) for long in ABBREVIATIONS.get(word, "").split()]
    for suffix in ("er", "or", "ers", "ors"):
        base = word.removesuffix(suffix)
        if base != word and len(base) >= 3:
            others += [stem(base), stem(base + "e")]
    for other in others:
        found.setdefault(other, SAME)
    found.pop(stem(word), None)
    return found


_SHORT_PARTS = frozenset({"id", "no", "of", "to", "by", "is", "at", "on", "in", "qty", "cd", "nr"})
_LONGEST_PART = 16
_RARE = 9.5
"""Cost of an abbreviation; the rarest words cost 10."""


@cache
def _word_costs() -> dict[str, float]:
    """Return the whole words of the tokenizer's vocabulary; common ones cost less.

    The vocabulary stands in order of frequency, so a word's cost is the logarithm of its rank.
    """
    path = Path(__file__).resolve().parent / "minilm" / "tokenizer.json"
    vocabulary: dict[str, int] = json.loads(path.read_bytes())["model"]["vocab"]
    costs = {
        word: math.log(rank + 2)
        for word, rank in vocabulary.items()
        if word.isascii() and word.isalpha() and len(word) > 2
    }
    short = {word: _RARE for word in ABBREVIATIONS if len(word) > 2} | dict.fromkeys(
        _SHORT_PARTS, 7.0
    )
    return short | costs


@cache
def segments(word: str) -> tuple[str, ...]:
    """Return the words that a lower-case word is run together from: `listprice` → list, price.

    A word that is one, or isn't made of known words, comes back alone.
    """
    known = _word_costs()
    if len(word) < 6 or word in known or not word.isascii() or not word.isalpha():
        return (word,)
    best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ())]
    for end in range(1, len(word) + 1):
        ways = [
            (before[0] + known[part], (*before[1], part))
            for start in range(max(0, end - _LONGEST_PART), end)
            if (before := best[start]) is not None and (part := word[start:end]) in known
        ]
        best.append(min(ways) if ways else None)
    found = best[-1]
    return found[1] if found else (word,)


def split_words(identifier: str) -> list[str]:
    """Return the words of an identifier, those run together taken apart."""
    return [part for word in words(identifier) for part in segments(word)]


def expanded(identifier: str) -> list[str]:
    """Return an identifier's words with abbreviations spelled out after them."""
    found: dict[str, None] = {}
    for word in [
        w for whole in words(identifier) for w in dict.fromkeys((whole, *segments(whole)))
    ]:
        found[word] = None
        for long in ABBREVIATIONS.get(word, "").split():
            if long not in STOP_WORDS:
                found[long] = None
    return list(found)
