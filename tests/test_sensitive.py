"""Which columns are personal or secret, and which only look so."""

import json

import pytest
import yaml

from evals import sensitive as evaluation
from pipeline.profile import sensitive
from schemas.models import Column, Table


@pytest.mark.req("PROF-03")
@pytest.mark.parametrize(
    ("table", "column"),
    [
        pytest.param("customers", "first_name", id="English"),
        pytest.param("Person__Person", "LastName", id="camel case"),
        pytest.param("tblcustomer", "emailaddress", id="without gaps"),
        pytest.param("kunden", "geburtsdatum", id="German"),
        pytest.param("mitarbeiter", "straße", id="German with a sharp s"),
        pytest.param("clients", "prénom", id="French with an accent"),
        pytest.param("clientes", "correo_electronico", id="Spanish"),
        pytest.param("clientes", "telefono_movil", id="Spanish, head first"),
        pytest.param("alunos", "data_nascimento", id="Portuguese"),
        pytest.param("klanten", "achternaam", id="Dutch"),
        pytest.param("pracownicy", "nazwisko", id="Polish"),
        pytest.param("t", "姓名", id="Chinese"),
        pytest.param("product", "customer_name", id="a person's name in another table"),
        pytest.param("vEmployee", "name", id="name in a table of persons"),
        pytest.param("users", "password_hash", id="what was made of a secret"),
        pytest.param("payments", "card_last4", id="a part of a card number"),
        pytest.param("bank_transfers", "account_number", id="account in a bank's table"),
    ],
)
def test_names_of_personal_columns_are_known(table, column):
    family = "date" if column in ("geburtsdatum", "data_nascimento") else "text"

    assert sensitive.why(table, column, family).endswith("by its name")


@pytest.mark.req("PROF-03")
@pytest.mark.parametrize(
    ("table", "column", "family"),
    [
        pytest.param("product", "name", "text", id="name of a thing"),
        pytest.param("customer", "email_sent_count", "integer", id="a count of mails"),
        pytest.param("customer", "card_tier", "text", id="loyalty card"),
        pytest.param("customer", "phone_orders", "integer", id="orders by phone"),
        pytest.param("cache", "cache_key", "text", id="a key that opens nothing"),
        pytest.param("lesson", "lesson_no", "integer", id="letters of ssn"),
        pytest.param("result", "race_id", "integer", id="a sports race"),
        pytest.param("users", "email_verified", "boolean", id="a flag"),
        pytest.param("customers", "city", "text", id="a city"),
        pytest.param("orders", "ship_country", "text", id="a country"),
        pytest.param("customers", "company_name", "text", id="a company"),
        pytest.param("stores", "latitude", "float", id="position of a shop"),
        pytest.param("memory", "base_address", "integer", id="a machine's address"),
        pytest.param("jobs", "min_salary", "decimal", id="a pay band"),
        pytest.param("address_type", "name", "text", id="kinds of address"),
        pytest.param("customer_type", "name", "text", id="kinds of person"),
        pytest.param("user", "last_login", "timestamp", id="a time"),
    ],
)
def test_look_alikes_are_left_open(table, column, family):
    assert sensitive.why(table, column, family) is None


@pytest.mark.req("PROF-08", part="first cut")
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
        pytest.param(["123-45-67", "987-65-43"], id="nearly an SSN"),
        pytest.param(["123e4567-e89b-12d3-a456-426614174000"], id="UUID"),
        pytest.param(["1.2.3.4", "10.0.1.2"], id="versions"),
        pytest.param(["2024-01-02", "2024-11-30"], id="dates"),
        pytest.param(["BK-R93R-62", "FR-M94S-42"], id="product numbers"),
        pytest.param(["4-20-000676", "10-4020-000676"], id="account numbers"),
        pytest.param(["@home", "a@b", "user at host"], id="no mail addresses"),
    ],
)
def test_values_that_only_look_personal_are_left_open(values):
    assert sensitive.why("t", "code", "text", values) is None


def test_the_evaluation_prints_recall_precision_and_what_went_wrong(tmp_path, capsys):
    columns = [
        {"table": "customers", "column": "email", "type": "varchar", "sensitive": True},
        {"table": "customers", "column": "shoe", "type": "varchar", "sensitive": True},
        {"table": "product", "column": "name", "type": "varchar", "sensitive": False},
        {"table": "users", "column": "phone", "type": "varchar", "sensitive": False},
    ]
    path = tmp_path / "columns.yaml"
    path.write_text(yaml.safe_dump(columns), encoding="utf-8")

    status = evaluation.main(["--columns", str(path), "--json"])

    found = json.loads(capsys.readouterr().out)
    assert status == 0
    assert (found["recall"], found["precision"]) == (0.5, 0.5)
    assert found["missed"] == ["customers.shoe"]
    assert found["false"] == ["users.phone (phone number, by its name)"]


@pytest.mark.parametrize(
    ("table", "column", "beside", "expected"),
    [
        pytest.param("T01_HALTER", "HLT_NM", "HLT_EMAIL", True, id="short form of the table"),
        pytest.param("keepers", "name", "birth_date", True, id="name beside a birth date"),
        pytest.param("suppliers", "name", "email", False, id="an organisation"),
        pytest.param("stores", "name", "email", False, id="a place"),
        pytest.param("T01_HALTER", "BRD_NM", "HLT_EMAIL", False, id="name of something else"),
        pytest.param("keepers", "name", "colour", False, id="nothing personal beside it"),
    ],
)
@pytest.mark.req("PROF-03", part="SQLite")
def test_the_name_of_a_row_is_a_persons_beside_personal_columns(table, column, beside, expected):
    columns = tuple(Column(name, "TEXT", "text") for name in (column, beside))

    why = sensitive.why_by_name(Table(table, table, columns=columns), columns[0])

    assert bool(why) is expected
