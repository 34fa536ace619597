"""Nouns that tables are called after, and words that change what a column's name speaks of."""

from __future__ import annotations

from pipeline.profile.kinds import words as word_set

PERSONS = word_set(
    """person people customer cust emp usr pat pax client consumer employee staff worker user
    member patient student
    pupil teacher contact lead passenger driver guest subscriber applicant candidate citizen
    resident donor visitor beneficiary cardholder insured physician doctor nurse voter parent
    child spouse manager supervisor instructor professor participant attendee recipient reviewer
    salesperson buyer borrower tenant cashier technician caller respondent referrer inhabitant
    caregiver relative dependent prospect signatory approver requester volunteer policyholder
    shareholder investor individual clinician traveler traveller rider courier learner coach
    trainee freelancer personnel hr officer appointee claimant debtor payee householder kunde
    kunden mitarbeiter angestellte angestellter benutzer nutzer personen mitglied mitglieder
    schueler schuler lehrer patienten ansprechpartner teilnehmer bewerber fahrer versicherter
    versicherte einwohner buerger burger interessent interessenten kontakt kontakte personal
    studenten arzt arzte aerzte employe employes utilisateur utilisateurs personne personnes
    salarie salaries eleve eleves etudiant etudiants membre membres adherent adherents
    conducteur patiente abonne abonnes candidat candidats usager usagers cliente clientes
    empleado empleados usuario usuarios persona personas paciente pacientes alumno alumnos
    contacto contactos estudiante estudiantes trabajador trabajadores miembro miembros socio
    socios conductor profesor profesores pessoa pessoas funcionario funcionarios colaborador
    colaboradores utilizador utilizadores aluno alunos contato contatos utente utenti clienti
    dipendente dipendenti persone paziente pazienti studente studenti klant klanten medewerker
    medewerkers persoon gebruiker gebruikers leden lid klient klienci pracownik pracownicy osoba
    osoby uzytkownik pacjent zakaznik zamestnanec kund kunder anstalld anstallda ansatt ansatte
    bruker brukere elev elever medlem medlemmer medlemmar henkilo asiakas tyontekija musteri
    calisan kullanici hasta ogrenci"""
)
"""Nouns for persons; a table whose head is one of them holds a person per row."""

PLACES = word_set(
    """store shop warehouse whs branch outlet office site facility plant factory depot venue hotel
    restaurant airport station stop port city town village country region state province county
    district territory zone place location poi landmark building museum park stadium theater
    theatre hospital clinic school university college library bank atm filiale filialen lager
    lagerort standort standorte stadt stadte land lander ville villes magasin magasins tienda
    tiendas ciudad ciudades loja lojas cidade cidades pais paises negozio citta almacen sucursal
    agence entrepot winkel vestiging sklep miasto butik sensor company companies organization
    organisation weather map geo geography municipality continent neighborhood area
    """
)
"""Nouns for places and organisations: their addresses and positions are no person's."""

NEUTRAL = word_set(
    """number no nr num nbr nummer numero value val text txt raw hash hashed encrypted enc encr
    masked plain clean cleaned normalized primary secondary main alternate alternative alt other
    home work private business office personal mobile line lines full part address addr adresse
    string str code field data list old new current previous original latest local intl
    international us 1 2 3 4 5 a b c kunde kunden privat privee prive geschaeftlich customer
    client user employee person contact patient en de last four digits bin sha md crypt cipher
    ciphertext bytes key ext 256 512"""
)
"""Words after a phrase that leave it what it is: `phone number 2`, `password hash`."""

MEASURES = word_set(
    """count cnt counts qty quantity total sum avg mean max min length len size type types kind
    kinds format status state rate ratio percent pct model version required needed enabled
    disabled flag verified valid validated confirmed check checked score template server host
    provider domain subject days hours expires expiry expired changed at on since until date
    time discount promotion policy rule pattern regex category class group level tier brand
    index position order orders sent opened tipo tipos cantidad estado formato fecha quantite
    nombre statut etat quantidade situacao stato attivo activo valide valido verificado verifie
    anzahl typ art datum limit limite bucket id ids"""
)
"""Words after a phrase of a head-first language that turn it into something else."""

NOT_BEFORE = word_set(
    """is has have can may should must allow allows allowed num number count cnt n max min maximum
    minimum avg average mean sum total need needs send sends sent show shows hide require
    requires required use uses enable enabled disable verify verified valid invalid missing
    without days hours times pct percent rate ratio default sample example dummy cache cached
    public primarykey foreign sort partition object template base memory bus register web
    website site url virtual physical contract support noreply tokens token page first_seen
    license file zip cell gateway subnet dns range grade band pay_grade"""
)
"""Words before a phrase that turn it into something else: `is_email`, `base_address`."""

MEASURED_PAY = word_set("""min max minimum maximum avg average median range band grade from to""")
"""Before pay: the pay of a job, not of a person."""
