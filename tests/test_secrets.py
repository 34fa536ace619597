"""No login and no sensitive value gets into an artifact, a cache, an index or a line of a log."""

import logging

import pytest
from sqlalchemy import make_url

from pipeline import artifacts, tasks
from pipeline.kb import Kb
from schemas.facts import Catalog, Profile
from tests import engines, mariadb_databases, postgres_databases

ODD_LOGIN = "pä ss:w@rd/%?#&=+'x"
PLANTED = "Zanzibar-Quux-7731"
"""Stands wherever a database can hold a value of the sensitive column."""

PEOPLE = f"""
CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    religion VARCHAR(40) DEFAULT '{PLANTED}' CHECK (religion <> '{PLANTED}x'),
    note VARCHAR(40)
);
INSERT INTO people VALUES (1, '{PLANTED}', 'a'), (2, '{PLANTED}', 'b'), (3, 'other', 'c');
CREATE VIEW faithful AS SELECT id, religion FROM people WHERE religion = '{PLANTED}';
CREATE VIEW broken AS SELECT religion, CAST(religion AS INTEGER) AS n FROM people
    WHERE religion = '{PLANTED}'
"""


def build(folder, source, monkeypatch):
    """Build a knowledge base whose source is in the environment; return it and its error."""
    kb = Kb(folder / "kb" / "secret")
    kb.folder.mkdir(parents=True, exist_ok=True)
    text = "name: secret\nsource: ${SECRET_DB}\nembedder: none\n"
    kb.settings.write_text(text, encoding="utf-8")
    monkeypatch.setenv("SECRET_DB", source)
    return kb, tasks.run(kb).error


def leaks(kb, said, *secrets):
    """Return which secrets stand in which file of a knowledge base, or in what was said.

    catalog.json states the database's own rules and texts as they are; cards hide them.
    """
    found = [("said", secret) for secret in secrets if secret in said]
    for path in kb.folder.rglob("*"):
        if path.is_file() and (path.name != "catalog.json" or secrets[0] != PLANTED):
            data = path.read_bytes()
            found += [(path.name, secret) for secret in secrets if secret.encode() in data]
    return found


def spellings(url):
    """Return how the login of a URL may be written."""
    plain = make_url(url)
    encoded = url.partition("://")[2].rpartition("@")[0].partition(":")
    return {plain.username, plain.password, encoded[0], encoded[2]} - {"", None}


@pytest.fixture
def login(request, caplog):
    """Return what makes a login on a server, with an odd password, and a database of people."""
    caplog.set_level(logging.DEBUG)
    required = request.config.getoption("--require-engines")
    made = []

    def make(engine):
        server = engines.server(engine, required=required)
        kit = postgres_databases if engine == "postgres" else mariadb_databases
        name, user = kit.own("secret"), kit.own("nobody_in_particular")
        quoted = ODD_LOGIN.replace("'", "''")
        if engine == "postgres":
            run = lambda *sql: kit.run(server, *sql)  # noqa: E731 - one line for both kits
            run(f"CREATE DATABASE {name}", f"CREATE ROLE {user} LOGIN PASSWORD '{quoted}'")
            source = kit.named(server, database=name)
            kit.run(
                source,
                *PEOPLE.split(";\n"),
                f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}",
            )
            drops = [f"DROP DATABASE {name} WITH (FORCE)", f"DROP ROLE {user}"]
        else:
            run = lambda *sql: kit.run(server.url, *sql)  # noqa: E731 - one line for both kits
            run(f"CREATE DATABASE {name}", f"USE {name}", *PEOPLE.split(";\n"))
            run(
                f"CREATE USER {user} IDENTIFIED BY '{quoted}'",
                f"GRANT SELECT, SHOW VIEW ON {name}.* TO {user}",
            )
            drops = [f"DROP DATABASE {name}", f"DROP USER {user}"]
            source = server
        made.append((run, drops))
        url = make_url(source.url).set(username=user, password=ODD_LOGIN, database=name)
        return url.render_as_string(hide_password=False)

    yield make
    for run, drops in made:
        run(*drops)


@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
@pytest.mark.req("SCAN-08")
def test_a_build_keeps_login_and_sensitive_values_to_itself(
    engine, login, tmp_path, monkeypatch, caplog, capfd
):
    url = login(engine)

    kb, error = build(tmp_path, url, monkeypatch)

    said = caplog.text + "".join(capfd.readouterr())
    assert error is None
    assert leaks(kb, said, *spellings(url)) == []
    assert leaks(kb, said, PLANTED) == []


@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"username": "nobody:@% else"}, id="login"),
        pytest.param({"host": "no-such-host.invalid"}, id="host"),
        pytest.param({"port": 1}, id="port"),
        pytest.param({"database": "no_such_database"}, id="database"),
        pytest.param({"drivername": "postgresql+nodriver"}, id="driver"),
        pytest.param({"drivername": "nodialect"}, id="dialect"),
    ],
)
@pytest.mark.req("SCAN-08")
def test_a_failure_keeps_the_login_to_itself(
    engine, wrong, login, tmp_path, monkeypatch, caplog, capfd
):
    url = make_url(login(engine)).set(**wrong).render_as_string(hide_password=False)

    kb, error = build(tmp_path, url, monkeypatch)

    said = caplog.text + "".join(capfd.readouterr()) + str(error)
    assert error is not None
    assert leaks(kb, said, *spellings(url)) == []


def test_what_a_login_may_not_read_is_recorded_without_the_login(
    login, request, tmp_path, monkeypatch, caplog, capfd
):
    url = login("mariadb")
    database = make_url(url).database
    server = engines.server("mariadb", required=request.config.getoption("--require-engines"))
    mariadb_databases.run(
        server.url,
        f"USE {database}",
        "CREATE FUNCTION hushed() RETURNS int RETURN 1",
        "CREATE SQL SECURITY INVOKER VIEW denied AS SELECT hushed() AS n",
        f"CREATE DEFINER = {mariadb_databases.own('gone_for_good')} VIEW orphan AS SELECT 1 AS n",
    )

    kb, error = build(tmp_path, url, monkeypatch)

    said = caplog.text + "".join(capfd.readouterr())
    lost = {u.name: u.problem for u in artifacts.read(kb.catalog, Catalog).unreadable}
    errors = {t.table: t.error for t in artifacts.read(kb.profile, Profile).tables if t.error}
    assert error is None
    assert "hushed" in lost["denied"]
    assert "orphan" in {**lost, **errors}
    assert leaks(kb, said, *spellings(url), mariadb_databases.own("gone_for_good")) == []
