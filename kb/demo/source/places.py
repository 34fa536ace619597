"""Countries, exchange rates, streets and towns, warehouses."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import count
from random import Random

from .clock import END, START, at_work, stamp
from .records import Address, Country, FxRate, Warehouse

COUNTRIES = [
    Country("AT", "Austria", "EU  ", "CET", 1),
    Country("BE", "Belgium", "EU  ", "CET", 1),
    Country("CA", "Canada", "NA  ", "EST", 1),
    Country("CH", "Switzerland", "EFTA", "CET", 1),
    Country("CN", "China", "ASIA", "CST", 0),
    Country("DE", "Germany", "EU  ", "CET", 1),
    Country("DK", "Denmark", "EU  ", "CET", 1),
    Country("ES", "Spain", "EU  ", "CET", 1),
    Country("FI", "Finland", "EU  ", "EET", 1),
    Country("FR", "France", "EU  ", "CET", 1),
    Country("GB", "United Kingdom", "UK  ", "WET", 1),
    Country("IE", "Ireland", "EU  ", "WET", 1),
    Country("IT", "Italy", "EU  ", "CET", 1),
    Country("NL", "Netherlands", "EU  ", "CET", 1),
    Country("NO", "Norway", "EFTA", "CET", 1),
    Country("PL", "Poland", "EU  ", "CET", 1),
    Country("PT", "Portugal", "EU  ", "WET", 0),
    Country("SE", "Sweden", "EU  ", "CET", 1),
    Country("TW", "Taiwan", "ASIA", "CST", 0),
    Country("US", "United States", "NA  ", "EST", 1),
]
ZONES = {country.country_code: country.tz_zone for country in COUNTRIES}

WAREHOUSES = [
    Warehouse(1, "UTR ", "Utrecht Central", "D", "Utrecht", "NL", "Europe/Amsterdam", None),
    Warehouse(2, "LYO ", "Lyon South", "D", "Lyon", "FR", "Europe/Paris", None),
    Warehouse(3, "GDN ", "Gdansk Baltic", "D", "Gdansk", "PL", "Europe/Warsaw", None),
    Warehouse(4, "MCR ", "Manchester North", "D", "Manchester", "GB", "Europe/London", None),
    Warehouse(5, "RET ", "Returns Venlo", "R", "Venlo", "NL", "Europe/Amsterdam", None),
    Warehouse(6, "OLD ", "Tilburg (closed 2022)", "X", "Tilburg", "NL", "Europe/Amsterdam", None),
]
RETURNS_CENTRE = 5
_SERVED_BY = {"FR": 2, "ES": 2, "IT": 2, "CH": 2, "PL": 3, "SE": 3, "NO": 3, "DK": 3, "FI": 3}
_SERVED_BY |= {"GB": 4, "IE": 4}

# Weight of a country among customers, streets, post code pattern, towns.
_PLACES: dict[str, tuple[int, str, str, str]] = {
    "DE": (
        24,
        "Lindenstr.|Bergweg|Am Stadtpark|Gartenstr.",
        "#####",
        "Munich|Freiburg|Hamburg|Ulm",
    ),
    "NL": (20, "Kerkstraat|Molenweg|Havenkade|Lindelaan", "#### XA", "Utrecht|Arnhem|Breda|Zwolle"),
    "FR": (14, "Rue des Alpes|Rue du Moulin|Quai Nord", "#####", "Grenoble|Annecy|Nantes|Lille"),
    "GB": (14, "Mill Lane|Station Road|High Street", "XX# #XX", "Keswick|Leeds|Sheffield|Bristol"),
    "AT": (7, "Bergstr.|Feldgasse|Marktplatz", "####", "Innsbruck|Graz|Salzburg"),
    "SE": (6, "Skogsvägen|Storgatan|Sjövägen", "### ##", "Östersund|Uppsala|Malmö"),
    "NO": (5, "Fjellveien|Storgata|Elvegata", "####", "Bergen|Tromsø|Lillehammer"),
    "CH": (5, "Dorfstrasse|Seeweg|Alpenweg", "####", "Bern|Chur|Luzern"),
    "IT": (5, "Via Roma|Via Dolomiti|Via del Lago", "#####", "Bolzano|Turin|Trento"),
    "ES": (4, "Calle Mayor|Calle del Sol", "#####", "Girona|Bilbao|Granada"),
    "PL": (4, "ul. Lipowa|ul. Polna|ul. Górska", "##-###", "Kraków|Gdynia|Wrocław"),
    "BE": (4, "Kerkstraat|Rue Haute|Dijkweg", "####", "Ghent|Namur|Leuven"),
    "DK": (3, "Skovvej|Strandvej|Nørregade", "####", "Aarhus|Odense|Aalborg"),
    "IE": (2, "Harbour Road|Abbey Street", "X## XX##", "Galway|Cork|Sligo"),
    "FI": (2, "Metsätie|Rantakatu", "#####", "Tampere|Oulu|Turku"),
    "US": (2, "Maple Avenue|Pine Street", "0####", "Burlington|Portland|Keene"),
    "CA": (1, "Elm Street|Lakeshore Drive", "X#X #X#", "Ottawa|Halifax"),
}


def guid(random: Random) -> str:
    """Make a random identifier in the usual 8-4-4-4-12 form."""
    digits = f"{random.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], "4" + digits[13:16], digits[16:20], digits[20:]))


def serving_warehouse(country_code: str) -> int:
    """Say which warehouse ships to a country."""
    return _SERVED_BY.get(country_code, 1)


def draw_country(random: Random) -> str:
    """Pick a country as often as customers live there."""
    return random.choices(list(_PLACES), [place[0] for place in _PLACES.values()])[0]


class AddressBook:
    """Hands out addresses and remembers them; ids run from 1."""

    def __init__(self, random: Random) -> None:
        self.rows: list[Address] = []
        self._random = random
        self._ids = count(1)

    def add(self, country_code: str, since: datetime, *, floor: bool = False) -> int:
        """Invent an address in a country and return its id."""
        random = self._random
        _, streets, pattern, towns = _PLACES[country_code]
        changed = since
        if random.random() < 0.1:
            day = since.date() + timedelta(days=random.randrange(1 + (END - since.date()).days))
            changed = max(since, at_work(day, random))
        self.rows.append(
            Address(
                address_id=next(self._ids),
                line1=f"{random.choice(streets.split('|'))} {random.randrange(1, 180)}",
                line2=random.choice(["c/o office", "2nd floor", "Unit 4"]) if floor else None,
                line3=None,
                postal_code=_post_code(pattern, random),
                city=random.choice(towns.split("|")),
                country_code=country_code,
                is_deleted=0,
                created_at=stamp(since),
                updated_at=stamp(changed),
                row_guid=guid(random),
            )
        )
        return self.rows[-1].address_id

    def country_of(self, address_id: int) -> str:
        """Look up the country of an address."""
        return self.rows[address_id - 1].country_code

    def retire_unused(self, used: set[int]) -> None:
        """Soft-delete half of the addresses that nothing refers to."""
        for index, row in enumerate(self.rows):
            if row.address_id not in used and self._random.random() < 0.5:
                self.rows[index] = row._replace(is_deleted=1)


def fx_rates(random: Random) -> Iterator[FxRate]:
    """Let monthly rates wander around what they were in 2023."""
    for currency, start in (("CNY", 0.131), ("EUR", 1.0), ("GBP", 1.14), ("USD", 0.925)):
        rate = start
        for month in range((END.year - START.year + 1) * 12):
            day = date(START.year + month // 12, month % 12 + 1, 1)
            yield FxRate(currency, day.isoformat(), round(rate, 5))
            if currency != "EUR":
                rate *= 1 + random.uniform(-0.014, 0.0138)


def _post_code(pattern: str, random: Random) -> str:
    draw = {"#": "0123456789", "X": "ABCDEFGHJKLMNPRSTW"}
    return "".join(random.choice(draw[sign]) if sign in draw else sign for sign in pattern)
