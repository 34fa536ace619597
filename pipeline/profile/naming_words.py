"""The words that names of keys, tables and references are made of."""

from __future__ import annotations

from pipeline.profile.kinds import words as word_set

IDS = word_set(
    """id ids key fk sk pk uid oid guid uuid ref rid ident identifier kennung schluessel schlussel
    schl clave chave cle chiave"""
)
CODES = word_set("""code cd iso symbol abbr abbreviation short kod codigo cod kuerzel kurzel kz""")
NUMBERS = word_set("no nr num number nbr nummer numero nro")
SUFFIXES = IDS | CODES | NUMBERS
LEADING = word_set("id fk cod codigo kod num nro sk cd no nr")
GENERIC = SUFFIXES | word_set(
    """row record entry line seq sequence name rowid unique pri primary"""
)

TABLE_PREFIXES = word_set("tbl tb t dim fact fct stg mst ref lkp lu lookup xref v vw cd")
TABLE_SUFFIXES = word_set(
    """header hdr head master mst dim table tbl list lookup lkp lu ref info data base main code
    type_table stamm entity"""
)

ROLES = word_set(
    """bill ship to from parent child primary secondary home work origin destination source target
    dest start end by for default original orig previous prev next first last main alternate alt
    sender receiver recipient buyer seller billing shipping mailing invoice delivery current old
    new sold ordered created updated modified approved assigned sales support account site lead
    head manager owner reporting supervisor responsible requested component kit assembly base
    quote local away winner loser departure arrival pickup dropoff pick drop return returned
    issued received owning related linked replacement substitute master legal native weight size
    unit purchase purchasing sub super top root left right kunde verantwortlich closed opened
    resolved reported requesting issuing holding settlement trade counter debit credit via in
    out inbound outbound emergency birth correspondence residence citizenship registered
    operating managing preferred supplier vendor customer referred acting latest haupt ersatz gegen
    ober unter vor nach storno soll haben alt neu von liefer rechnung uebergeordnet uebergeordnete
    ubergeordnet ubergeordnete untergeordnete principal secundario origen destino anterior siguiente
    precedent suivant origine livraison facturation envio facturacion"""
)
"""Words that tell the part a row plays in another: known ones need less proof by data."""

SELF = word_set(
    """parent predecessor successor previous prev next root superior reply duplicate replaces
    replaced original merged padre pere pai uebergeordnet ubergeordnet uebergeordnete ubergeordnete
    ober forrige ersatz reply"""
)
SELF_OF_PEOPLE = word_set(
    """manager supervisor boss report reports mentor head lead vorgesetzter chef superieur jefe
    superviseur superior upline sponsor parent mother father spouse referrer referred coach"""
)
PEOPLE = word_set(
    """employee user staff person people emp personnel worker member mitarbeiter empleado
    benutzer bediener usuario utilisateur empleados funcionario"""
)
STAFF = word_set(
    """technician mechanic nurse physician doctor clinician agent operator inspector consultant
    instructor teacher officer clerk cashier engineer therapist adviser advisor analyst
    colleague caseworker dispatcher foreman installer techniker monteur pfleger sachbearbeiter
    verkaeufer verkaufer technicien vendeur tecnico vendedor"""
)
"""Occupations: where no table holds users or employees, the only one of these does."""
SHORT_DEEDS = word_set("ack appr auth chk iss ins upd mod rev req")
"""What a person did, before `by`."""
GIVEN_TO = word_set("assigned delegated escalated dispatched allocated")
"""What is done with a task, before `to` a person."""

PEOPLE_ROLES = word_set(
    """create write modify modifier editor poster uploader salesman coordinator manager owner rep
    representative agent supervisor assignee assigned author approver reviewer creator created
    updated modified approved lead buyer seller responsible technician head salesperson clerk
    advisor handler operator requester by inspector consultant instructor verkaeufer verkaufer
    vertreter usr sachbearbeiter bearbeiter leiter verantwortlich verantwortliche verantwortlicher
    verfasser besteller ersteller erfasser pruefer prufer betreuer autor auteur responsable creador
    redacteur createur responsavel"""
)

DIRECTIONS = word_set(
    """from to src source dest destination origin start end in out old new previous prev next first
    last parent child"""
)
"""Roles that stand behind a name, too: `location_dest_id`."""
CLEAR_ROLES = word_set(
    """by owner assignee manager author editor creator modifier sachbearbeiter bearbeiter leiter
    verantwortlich verantwortliche verantwortlicher verfasser besteller ersteller erfasser pruefer
    prufer betreuer autor auteur responsable creador redacteur createur responsavel"""
)
"""Of these, the ones that need no `_id` to be understood as a reference."""

PEOPLE_HEADS = ("leiter", "bearbeiter", "verantwortlicher", "betreuer", "pruefer", "ersteller")
"""Roles of persons that end longer words: `Projektleiter`."""

ANYTHING = word_set(
    """res ref reference object obj entity owner source src target related subject parent item
    record document doc resource link linked content origin external context element thing
    foreign association bezug objekt objet objeto verweis beleg"""
)
"""What an id may be of whose type column says which table is meant."""

_SHORT_FORMS = """
acct account
addr address
appt appointment
cat category
cntry country
ctry country
cust customer
dept department
dlv delivery
emp employee
enc encounter
grp group
inv invoice inventory
itm item
loc location
msg message
ord order
org organization
pat patient
pmt payment
prj project
prod product
proj project
reg region
shp shipment
sup supplier
supp supplier
trx transaction
txn transaction
usr user
vend vendor
wh warehouse
whs warehouse
abt abteilung
kd kunde
lief lieferant
rg rechnung
"""
SHORT_FOR = {
    short: (short, *full)
    for short, *full in (line.split() for line in _SHORT_FORMS.strip().splitlines())
}
"""Usual short forms of what tables hold; each may as well be left as it is."""

LABELS = word_set(
    """name title label description email mail date time day year month phone value type status"""
)
