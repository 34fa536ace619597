"""Lists of words: stop words, irregular forms, synonyms, abbreviations, words of other languages.

Data only; `pipeline.lexicon` says how they are used. Short and general on purpose: what a business
calls its own things belongs in semantic.yaml.
"""

from __future__ import annotations

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
ie eg etc cent according based along against a b c d e f g h j k l m n o p q r s t u v w x y z
don didn doesn isn aren wasn weren won hasn haven hadn couldn wouldn shouldn someone somebody
something anyone anybody anything everyone everything nothing else look looks looking looked
rank ranked used whether instead besides
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that say how to answer rather than what about."""

IRREGULAR = {
    "people": "person", "persons": "person", "sold": "sell", "bought": "buy", "paid": "paid",
    "shopping": "shopping",
    "women": "woman", "men": "man", "children": "child", "spent": "spend", "wrote": "write",
    "written": "write", "sent": "send", "held": "hold", "met": "meet", "lost": "lose",
    "taught": "teach", "won": "win", "ran": "run", "taken": "take", "took": "take",
    "chosen": "choose", "grew": "grow", "staff": "staff", "data": "data", "media": "media",
    "indices": "index", "feet": "foot", "mice": "mouse", "criteria": "criterion", "bom": "bom",
    "born": "birth", "died": "death", "won't": "will", "flew": "fly", "flown": "fly",
    "drove": "drive", "shelves": "shelf", "series": "series", "species": "species", "news": "news",
    "thrown": "throw", "threw": "throw",
}  # fmt: skip

SYNONYMS = """
staff employee worker personnel colleague workforce
salesperson salesman seller agent representative rep
salesman seller agent representative rep > sale person employee
salesperson salespeople > sale person employee
client customer consumer buyer shopper
user member account
turnover revenue sale income proceeds
turnover revenue spend proceeds > order invoice total amount
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
web internet > online
reseller dealer distributor retailer store
reseller dealer > customer
cost price expense charge fee
dear dearer expensive pricey cheap cheaper worth > price cost value
popular > sale order
shelf > stock inventory
paid > pay payment invoice order
wage salary pay compensation payroll remuneration
firm company business organization organisation enterprise corporation
city town municipality
country nation
nationality > country
state province region
region territory area zone
district > region territory area
zip postal postcode
phone telephone mobile
email mail
manager boss supervisor chief
boss supervisor > report employee
hire employ recruit
applicant candidate
film movie
song track
band artist musician singer performer
music > track genre
category type kind class group
discount rebate reduction offer promotion deal
campaign > promotion offer discount
warehouse stock inventory
deliver ship dispatch
carrier shipper courier haulier forwarder
carrier courier haulier forwarder > ship shipping
freight shipping
quantity amount count qty
unit piece > quantity
address location place
live reside > address city
doctor physician practitioner clinician
doctor physician surgeon nurse clinician > staff employee
operation surgery procedure
meal > food
happy satisfied satisfaction > rating feedback review
insurer payer insurance
insurer > payer
listener subscriber reader viewer guest > customer user
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
refuse decline reject
parcel package shipment consignment
parcel package shipment > ship order delivery
margin profit > price cost sale
earn > sale pay
target goal quota
world abroad > country region territory
throw discard > scrap waste
manufacture produce
holiday vacation leave
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
mark > rating score
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
prescribe prescription
airline carrier
station stop
backup copy archive
"""
"""A line is a group of words for one thing; those before `>` may lead to those after it."""

ABBREVIATIONS = {
    "acct": "account", "addr": "address", "adr": "address", "adj": "adjustment",
    "amt": "amount", "appt": "appointment", "art": "article", "attr": "attribute",
    "auth": "authorization", "avail": "available", "avg": "average", "bak": "backup",
    "bal": "balance", "bkp": "backup",
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

_TRANSLATIONS = """
rechnung rech facture factura fattura factuur = invoice
kunde kd client cliente klant = customer
auftrag bestellung best commande pedido ordine bestelling = order
lieferant fournisseur proveedor fornitore leverancier = supplier
artikel producto produit prodotto articulo = article product
betrag montant importe importo bedrag = amount
datum dat fecha = date
menge quantite cantidad quantita anzahl aantal = quantity
preis prix precio prezzo prijs einzelpreis = price
zahlung zahl paiement pago pagamento betaling = payment
mahnung mahn relance = reminder dunning
leistung leist prestation = service
kostentraeger kostentr kt krankenkasse = payer insurer
ort stadt ville ciudad citta stad plaats = city
strasse str rue calle straat = street
plz = postcode
pays pais paese = country
adresse anschrift direccion indirizzo = address
mitarbeiter personal angestellter employe empleado dipendente medewerker = employee
abteilung abt departement = department
lager bestand almacen magasin magazzino voorraad = stock warehouse
lieferung livraison entrega consegna levering = delivery
bezeichnung bez libelle descripcion = name description
gruppe grp groupe grupo = group
faellig faelligkeit echeance vencimiento = due
gueltig valide = valid
kennzeichen kz = flag
nummer nr numero = number
vertrag contrat contrato = contract
konto cuenta compte = account
buchung ecriture = booking entry
umsatz ventas ventes = sale revenue
gebuehr frais = fee
ziel = target term
fall = case
eingang eing = receipt
mandant societe empresa = company
werk usine = plant
kategorie categorie categoria = category
vorname prenom = first name
nachname nom apellido = last name
geburtsdatum = birth date
sachbearbeiter sachb = clerk
"""
TRANSLATIONS = {
    word: meant.strip()
    for line in _TRANSLATIONS.strip().splitlines()
    for known, _, meant in [line.partition("=")]
    for word in known.split()
}
"""Words, mostly of business, that schemas in other languages use, and what they mean."""

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
