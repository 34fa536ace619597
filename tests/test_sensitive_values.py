"""Which values give a column away whatever its name, and which only look so."""

import pytest

from pipeline import value_checks
from pipeline.profile import sensitive


@pytest.mark.req("PROF-08", part="shapes")
@pytest.mark.parametrize(
    ("values", "kind"),
    [
        pytest.param(["ops", "ana@example.org"], "e-mail address", id="one mail address is enough"),
        pytest.param(["4111111111111111", "5555555555554444"], "payment card", id="valid cards"),
        pytest.param([4111111111111111, 5555555555554444], "payment card", id="cards as numbers"),
        pytest.param(["GB82 WEST 1234 5698 7654 32"], "bank account", id="IBAN"),
        pytest.param(["078-05-1120", "219-09-9999"], "national identity number", id="SSN"),
        pytest.param(["call +1 202-555-0111", "fine"], "phone number", id="phone in free text"),
        pytest.param(["ghp_" + "a1B2" * 9], "password, key or other secret", id="token"),
        pytest.param(
            ["$argon2id$v=19$m=1"], "password, key or other secret", id="hash of a password"
        ),
        pytest.param(["redis://app:FAKEpw@h.test/0"], "password, key or other secret", id="login"),
        pytest.param(["password=FAKEpw1"], "password, key or other secret", id="a given password"),
        pytest.param(
            ["mot de passe : FAKEmotDePasse"], "password, key or other secret", id="one in French"
        ),
        pytest.param(
            ["ALTER ROLE r PASSWORD 'FAKE10'"], "password, key or other secret", id="one in SQL"
        ),
        pytest.param(["Basic dXNlcjpGQUtFcHc="], "password, key or other secret", id="HTTP header"),
        pytest.param(['{"card": "4242424242424242"}'], "payment card", id="a card that is named"),
        pytest.param(["06 39 98 55 01", "06 39 98 55 02"], "phone number", id="French phone"),
        pytest.param(["12345678Z", "87654321X"], "national identity number", id="Spanish DNI"),
        pytest.param(["RSSMRA80A01H501U"], "national identity number", id="Italian fiscal code"),
    ],
)
def test_values_give_away_a_column_with_an_innocent_name(values, kind):
    reason = sensitive.why("import_raw", "c3", "text", values)

    assert reason.startswith(kind)
    assert not any(str(value) in reason for value in values)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(["4111111111111112", "1234567890123456"], id="wrong check digits"),
        pytest.param(["4000000000000000", "4000000000000010"], id="one of two passes by chance"),
        pytest.param(["123-45-67", "987-65-43"], id="nearly an SSN"),
        pytest.param(["123e4567-e89b-12d3-a456-426614174000"], id="UUID"),
        pytest.param(["1.2.3.4", "10.0.1.2"], id="versions"),
        pytest.param(["2024-01-02", "2024-11-30"], id="dates"),
        pytest.param(["BK-R93R-62", "FR-M94S-42"], id="product numbers"),
        pytest.param(["4-20-000676", "10-4020-000676"], id="account numbers"),
        pytest.param(["@home", "a@b", "user at host"], id="no mail addresses"),
        pytest.param(["logo@2x.png", "icon@3x.webp"], id="names of pictures"),
        pytest.param(["git@github.com:org/repo.git"], id="a repository"),
        pytest.param(["task-00ab12cd34ef56ab78cd90ef"], id="a slug that ends like a key"),
        pytest.param(["0000012345", "0012345678"], id="padded numbers"),
        pytest.param(["05-2024-0012", "05-2024-0013"], id="numbers of documents"),
        pytest.param(["9780306406157", "9783161484100"], id="ISBN"),
        pytest.param(["4006381333931", "4006381333948"], id="EAN that begin like cards"),
        pytest.param(
            [str(100_000_000 + i) for i in range(30)], id="running numbers of nine digits"
        ),
        pytest.param([str(4000000000000000 + i) for i in range(30)], id="running order numbers"),
        pytest.param(["PASSWORD=${DB_PASSWORD}", "token = value"], id="settings without a secret"),
        pytest.param(["password: required", "The secret: be good"], id="sentences on passwords"),
        pytest.param(["Basic membership", "Bearer of good news"], id="words before no base64"),
        pytest.param(["1700000000000", "1700086400000"], id="milliseconds"),
        pytest.param(["²2.²2.²2.²2"], id="digits that are no numbers"),
    ],
)
def test_values_that_only_look_personal_are_left_open(values):
    assert sensitive.why("t", "code", "text", values) is None


@pytest.mark.req("PROF-08", part="shapes")
def test_the_reason_says_how_many_values_look_so():
    values = ["ana@example.org", "ben@example.net", "none"]

    assert sensitive.why("t", "c3", "text", values) == "e-mail address: 2 of 3 values look like one"


@pytest.mark.parametrize(
    ("table", "values", "expected"),
    [
        pytest.param("visits", ["192.0.2.17", "10.20.30.4"], True, id="rows tell who came"),
        pytest.param("dump", ["192.0.2.117", "198.51.100.20"], True, id="addresses beyond doubt"),
        pytest.param("dump", ["192.0.2.17", "10.20.30.4"], False, id="they may be versions"),
        pytest.param("nics", ["00:00:5e:00:53:01"], True, id="a device"),
        pytest.param("servers", ["192.0.2.117", "198.51.100.20"], False, id="servers are nobody's"),
        pytest.param("dns_zones", ["192.0.2.117", "198.51.100.20"], False, id="nor are networks"),
    ],
)
def test_network_addresses_count_where_they_can_be_a_persons(table, values, expected):
    why = sensitive.why(table, "src", "text", values)

    assert bool(why and why.startswith("network or device")) is expected


@pytest.mark.parametrize(
    ("country", "valid", "invalid"),
    [
        pytest.param("Brazil", "529.982.247-25", "529.982.247-26", id="CPF"),
        pytest.param("Spain", "X1234567L", "X1234567T", id="NIE"),
        pytest.param("Germany", "86095742719", "86095742718", id="Steuer-ID"),
        pytest.param("Poland", "44051401359", "44051401358", id="PESEL"),
        pytest.param("Sweden", "811228-9874", "811228-9873", id="personnummer"),
        pytest.param("the Netherlands or Portugal", "111222333", "111222334", id="BSN"),
        pytest.param("Chile", "12.345.678-5", "12.345.678-4", id="RUT"),
        pytest.param("Argentina", "20-12345678-6", "20-12345678-5", id="CUIT"),
        pytest.param("Turkey", "10000000146", "10000000145", id="TCKN"),
        pytest.param("Finland", "131052-308T", "131052-308U", id="HETU"),
        pytest.param("Belgium", "85.07.30-033.28", "85.07.30-033.29", id="national number"),
        pytest.param("China", "11010519491231002X", "110105194912310021", id="resident identity"),
        pytest.param("Switzerland", "756.9217.0769.85", "756.9217.0769.84", id="AHV"),
        pytest.param("France", "2 55 08 14 168 025 38", "2 55 08 14 168 025 39", id="NIR"),
    ],
)
def test_check_digits_of_national_numbers_are_known(country, valid, invalid):
    number = next(n for n in value_checks.IDENTITY_NUMBERS if n.name == country)

    assert number.holds(valid)
    assert not number.holds(invalid)


def test_every_national_number_says_how_rarely_chance_passes():
    assert all(0 < number.odds <= 0.1 for number in value_checks.IDENTITY_NUMBERS)


@pytest.mark.req("PROF-08", part="places")
@pytest.mark.parametrize("table", ["site", "practice", "branch_offices"])
def test_numbers_of_a_place_are_nobodys_by_name_or_by_value(table):
    numbers = ["+49 30 1234567", "+49 89 7654321", "+44 20 7946 0958"]

    assert sensitive.why(table, "phone", "text", numbers) is None
    assert sensitive.why(table, "remark", "text", numbers).startswith("phone number")
    assert sensitive.why(table, "manager_phone", "text", numbers).startswith("phone number")
