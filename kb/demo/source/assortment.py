"""The words of the range: groups, nouns, brands, suppliers, kits and labels."""

from typing import NamedTuple


class Leaf(NamedTuple):
    """A category that holds products, and what they are like."""

    name: str
    code: str
    nouns: list[str]
    each: int
    low: int
    """Lowest retail price, euro."""
    high: int
    grams: int
    season: str
    suppliers: list[int]
    sized: bool = False
    """Whether buyers return it because it doesn't fit."""
    under: str | None = None
    """The category between the group and this one."""


_RAIN = ["Rain Jacket Women", "Rain Jacket Men"]
_DOWN = ["Down Jacket Women", "Down Jacket Men"]
_FLEECE = ["Fleece Women", "Fleece Men"]
_TROUSERS = ["Trekking Trousers Women", "Trekking Trousers Men", "Shorts"]
_BOOTS = ["Hiking Boot Women", "Hiking Boot Men"]
_SHOES = ["Trail Shoe Women", "Trail Shoe Men", "Camp Sandal"]
_CROCKERY = ["Cook Set", "Titanium Mug", "Spork"]
_BAGS = ["Sleeping Bag +5", "Sleeping Bag -10"]
_MATS = ["Air Mat", "Foam Mat", "Pillow"]
_LAYERS = ["Merino Shirt", "Merino Leggings"]
_HATS = ["Beanie", "Gloves", "Sun Hat"]
_HARDWARE = ["Rope 60 m", "Carabiner Set", "Helmet"]

GROUPS: dict[str, list[Leaf]] = {
    "Tents & Shelter": [
        Leaf("Tents", "TNT", ["Tent 1P", "Tent 2P", "Tent 4P"], 5, 189, 649, 2400, "S ", [1, 2]),
        Leaf("Tarps", "TRP", ["Tarp", "Bivy Bag"], 4, 49, 179, 620, "S ", [1, 12]),
    ],
    "Sleeping": [
        Leaf("Sleeping Bags", "SLP", _BAGS, 6, 89, 420, 1150, "AY", [2, 3]),
        Leaf("Mats & Pillows", "MAT", _MATS, 4, 19, 159, 460, "AY", [3, 4]),
    ],
    "Packs": [
        Leaf("Trekking Packs", "PCK", ["Pack 45 l", "Pack 65 l"], 6, 119, 289, 1750, "AY", [2, 5]),
        Leaf("Day Packs", "DAY", ["Day Pack 18 l", "Day Pack 25 l"], 6, 49, 129, 690, "AY", [5, 6]),
    ],
    "Clothing": [
        Leaf("Rainwear", "RNJ", _RAIN, 6, 99, 399, 390, "AY", [4, 7], sized=True, under="Jackets"),
        Leaf("Down", "DWN", _DOWN, 5, 149, 449, 420, "W ", [3, 7], sized=True, under="Jackets"),
        Leaf("Fleece", "FLC", _FLEECE, 5, 49, 139, 330, "W ", [6, 8], sized=True),
        Leaf("Trousers", "TRS", _TROUSERS, 5, 59, 149, 360, "AY", [6, 8], sized=True),
        Leaf("Base Layers", "BAS", _LAYERS, 5, 45, 99, 190, "W ", [8, 9], sized=True),
        Leaf("Hats & Gloves", "HAT", _HATS, 4, 15, 69, 90, "AY", [8, 9], sized=True),
    ],
    "Footwear": [
        Leaf("Hiking Boots", "BOT", _BOOTS, 6, 129, 299, 1250, "AY", [9, 10], sized=True),
        Leaf("Trail Shoes", "TRL", _SHOES, 4, 69, 169, 680, "S ", [10], sized=True),
        Leaf("Socks", "SOC", ["Hiking Socks", "Ski Socks"], 4, 12, 29, 80, "AY", [8], sized=True),
    ],
    "Camp Kitchen": [
        Leaf("Stoves", "STV", ["Gas Stove", "Multifuel Stove"], 4, 35, 189, 310, "S ", [11, 12]),
        Leaf("Cookware", "COK", _CROCKERY, 4, 9, 89, 240, "S ", [11]),
        Leaf("Water", "WTR", ["Water Filter", "Bottle 1 l"], 4, 14, 99, 210, "S ", [12, 13]),
    ],
    "Climbing": [
        Leaf("Harnesses", "HRN", ["Harness"], 6, 55, 129, 380, "AY", [13], sized=True),
        Leaf("Ropes & Hardware", "ROP", _HARDWARE, 4, 29, 219, 900, "AY", [13, 14]),
    ],
    "Light & Navigation": [
        Leaf("Headlamps", "LMP", ["Headlamp 350", "Lantern"], 5, 25, 109, 95, "W ", [12, 14]),
        Leaf("Navigation", "NAV", ["Compass", "GPS Handheld"], 3, 19, 349, 160, "AY", [14]),
    ],
}

MODELS = """
Skua Corrie Bothy Lynx Fulmar Dipper Heather Gannet Marten Tarn Ptarmigan Rowan Arete Larch
Plover Curlew Sorrel Ermine Col Bracken Merlin Cirque Willow Osprey Fell Juniper Otter Ridge
Lichen Swift Teal Cairn Lupin Raven Serac Brook Aspen Puffin Clover Boreal
"""

BRANDS = [
    ("Fellhaven", "NL"),
    ("Tarnwell", "NL"),
    ("Birkfell", "GB"),
    ("Fjordvik", "NO"),
    ("Cairnlight", "GB"),
    ("Hollowpine", "CA"),
    ("Solvane", "FR"),
    ("Graupel", "AT"),
    ("Osterlo", "SE"),
    ("Juniper & Lode", "US"),
    ("Redstart", "DE"),
]

# name, contact, country, currency, lead time in days, rating
SUPPLIERS = [
    ("Xinhai Tentworks", "Wen Zhao", "CN", "CNY", 55, "B"),
    ("Formosa Textile Mills", "Yi-Ting Hsu", "TW", "USD", 48, "A"),
    ("Downfield Asia", "Lei Gao", "CN", "USD", 60, "B"),
    ("Porto Tecnica", "Rui Tavares", "PT", "EUR", 21, "A"),
    ("Karpaty Sewing", "Olga Zielinska", "PL", "EUR", 18, "B"),
    ("Ningbo Outdoor Apparel", "Fang Xu", "CN", "CNY", 52, "C"),
    ("Membrane Works Lyon", "Denis Caron", "FR", "EUR", 16, "A"),
    ("Minho Knitwear", "Ines Faria", "PT", "EUR", 24, "A"),
    ("Merino Mill Borders", "Fiona Reid", "GB", "GBP", 20, "B"),
    ("Calzatura Veneto", "Carlo Bassi", "IT", "EUR", 22, "A"),
    ("Lumen Metalworks", "Jan Kubiak", "PL", "EUR", 15, "B"),
    ("Shenzhen Brightfield", "Min Luo", "CN", "USD", 45, "C"),
    ("Alpenseil Tirol", "Georg Lechner", "AT", "EUR", 14, "A"),
    ("Great Lakes Instruments", "Dana Cole", "US", "USD", 35, "B"),
]

TAGS = [
    ("hiking", "USE"),
    ("trail running", "USE"),
    ("bikepacking", "USE"),
    ("winter camping", "USE"),
    ("family", "USE"),
    ("ultralight", "USE"),
    ("travel", "USE"),
    ("waterproof", "MAT"),
    ("merino", "MAT"),
    ("down", "MAT"),
    ("ripstop", "MAT"),
    ("recycled", "ECO"),
    ("pfas-free", "ECO"),
    ("repairable", "ECO"),
    ("fair trade", "ECO"),
]

# name, parts: (sku prefix, which of them, pieces)
KITS: list[tuple[str, list[tuple[str, int, int]]]] = [
    ("Weekend Camp Kit for Two", [("TNT", 6, 1), ("SLP", 1, 2), ("MAT", 2, 2)]),
    ("Solo Bikepacking Kit", [("TRP", 5, 1), ("SLP", 4, 1), ("MAT", 0, 1)]),
    ("Family Camp Kit", [("TNT", 12, 1), ("SLP", 0, 4), ("MAT", 5, 4), ("LMP", 7, 1)]),
    ("Camp Kitchen Starter", [("STV", 0, 1), ("COK", 1, 1), ("COK", 9, 2)]),
    ("Gourmet Camp Kitchen", [("STV", 5, 1), ("COK", 2, 1), ("COK", 5, 2), ("WTR", 1, 1)]),
    ("First Climb Set", [("HRN", 1, 1), ("ROP", 5, 1), ("ROP", 9, 1)]),
    ("Rope Team Set", [("ROP", 1, 1), ("HRN", 2, 2), ("ROP", 6, 2)]),
    ("Winter Warmth Bundle", [("BAS", 1, 1), ("BAS", 7, 1), ("HAT", 2, 1), ("HAT", 5, 1)]),
    ("Day Hike Bundle", [("DAY", 3, 1), ("WTR", 5, 1), ("SOC", 1, 2)]),
    ("Night Navigator Set", [("LMP", 1, 1), ("NAV", 1, 1)]),
    ("Boot & Sock Bundle", [("BOT", 3, 1), ("SOC", 2, 3)]),
    ("Clean Water Set", [("WTR", 0, 1), ("WTR", 6, 2)]),
]
