"""Words around a phrase and in a table's name that decide what the phrase speaks of."""

from __future__ import annotations

from pipeline.profile import nouns
from pipeline.profile.kinds import Phrase, words

PERSONS = nouns.PERSONS | words(
    """judge lawyer attorney solicitor notary engineer architect dentist pharmacist therapist
    surgeon pathologist midwife director chairman president secretary treasurer clerk patron
    renter lessee lessor occupant companion godparent minister priest pastor scientist
    researcher scholar trainer referee umpire goalkeeper athlete player skater jockey actor
    actress singer musician painter photographer journalist editor writer translator interpreter
    commander officer soldier veteran richter anwalt rechtsanwalt notar ingenieur direktor
    leiter geschaeftsfuehrer mieter vermieter mieterin mitglieds versicherte versicherter
    beguenstigter mieters spieler trainerin pfleger pflegerin schwester betreuer betreuerin
    sachbearbeiter verkaeufer verkaufer kaeufer kaufer eigentuemer eigentumer besitzer erbe
    zeuge klaeger klager beklagter beschuldigter arbeitnehmer arbeitgeberin auszubildender azubi
    praktikant referent dozent student studentin bewerberin berater gast gaeste gaste vormund
    spender juge avocat notaire directeur directrice praticien infirmier infirmiere visiteur
    visiteurs candidate enseignant enseignants professeur professeurs formateur joueur joueurs
    stagiaire livreur chauffeur gerant heritier temoin plaignant acheteur emprunteur donneur
    benevole responsable juez jueces abogado abogada notario ingeniero directora doctor doctora
    enfermera enfermero visitante visitantes candidato candidatos candidata aspirante aspirantes
    postulante postulantes maestro maestros docente docentes jugador jugadores becario
    repartidor chofer choferes gerente heredero testigo demandante demandado comprador
    compradores prestatario donante voluntario deudor acreedor trabajadora empleador solicitante
    solicitantes remitente apoderado representante arrendatario arrendador juiz juizes advogado
    advogada tabeliao engenheiro diretor diretora enfermeiro enfermeira professora jogador
    jogadores estagiario entregador condutor condutores herdeiro testemunha mutuario doador
    devedor credor trabalhador trabalhadores empregado empregados requerente remetente locatario
    locador medica giudice avvocato notaio ingegnere direttore infermiere visitatore candidati
    docenti giocatore autista giocatori testimone acquirente donatore volontario lavoratore
    lavoratori richiedente mittente inquilini rechter advocaat notaris directeuren
    verpleegkundige bezoeker kandidaat docent speler chauffeurs getuige koper huurder verhuurder
    werknemer werknemers aanvrager domare advokat direktorer sjukskoterska besokare larare
    spelare kopare hyresgast arbetstagare sokande sedzia adwokat dyrektor pielegniarka gosc
    kandydat nauczyciel zawodnik kupujacy najemca wnioskodawca captain pilot garant garante
    eltern parents parent fisica commandant capitan piloto spouse author assignee owner guardian
    guarantor sender recipient addressee creator mother father sibling relative heir defendant
    plaintiff witness victim suspect inmate refugee household payer cardholder bearer pensioner
    retiree trustee landlord lodger speaker mitarbeiterin kundin schuelerin patientin
    erziehungsberechtigter empfaenger empfanger rechnungsempfaenger versicherungsnehmer hausarzt
    vater mutter ehepartner inhaber halter absender besteller verfasser versicherten personne
    proche destinataire destinataires medecin medecins pere mere conjoint epoux epouse tuteur
    beneficiaire locataire proprietaire titulaire vendeur eleveur auteur assure assures
    contribuable contribuables citoyen citoyens demandeur destinatario destinatarios medico
    medicos padre madre conyuge tutor beneficiario beneficiarios inquilino propietario titular
    titulares vendedor vendedores autor ciudadano ciudadanos contribuyente contribuyentes
    votante votantes conductores afiliado afiliados asegurado asegurados huesped huespedes
    estudiantes mae pai conjuge responsavel inquilinos proprietario motorista motoristas cidadao
    cidadaos hospede passageiro passageiros pasajero pasajeros dependente segurado eleitor
    eleitores lieferkontakt destinatari medici padrona genitore madri padri cittadino cittadini
    autore intestatario proprietari medewerkster ontvanger vader moeder huisarts burger burgers
    inwoner inwoners eigenaar afzender bestuurder kontakter mottagare agare forare anvandare
    patienter personer medborgare klientka pracownica odbiorca nadawca wlasciciel kierowca
    lekarz obywatel obywatele uzytkownicy pacjenci studenci habitant habitants assuree insured
    insuree mieszkaniec mieszkancy ubezpieczony ubezpieczeni invanare forsakrad forsakrade
    burgere verzekerde verzekerden leerling leerlingen uczen uczniowie alumna alumnas alumnus
    alumni worker workers provider clinician prescriber assicurato assicurati offender offenders
    detainee prisoner prisoners juror enrollee enrollees boarder pupil nominee honoree caretaker
    carer kin legatee testator complainant respondent taxpayer taxpayers householder skipper
    crewmember barrister gp pcp surveyor faculty gamer streamer follower followers friend
    subscriber cyclist pedestrian skier sportsman runner swimmer contestant competitor angler
    hunter migrant immigrant asylum convict voter militante colaboradora trabajadoras executor
    counsel assistant fahrzeughalter children grandparent nephew niece cousin uncle aunt sister
    brother wife husband son daughter partnerin signer cosigner cosignatory codebtor arrestee
    parishioner congregant resident consignee godfather godmother classmate roommate flatmate
    invitee registrant entrant petitioner appellant accused perpetrator complainer informant
    farmer inspector auditor examiner adjuster dispatcher welder electrician plumber carpenter
    chef waiter waitress bartender cleaner janitor gardener butcher tailor barber hairdresser
    stylist optician optometrist psychologist psychiatrist counselor counsellor physiotherapist
    radiologist anesthetist anaesthetist paramedic firefighter policeman detective sheriff
    lifeguard steward stewardess copilot mechanic lecturer dean rector registrar librarian
    archivist curator programmer analyst consultant accountant bookkeeper teller underwriter
    appraiser realtor landlady concierge nanny babysitter foreman apprentice intern mentor
    mentee adviser advisor delegate mayor senator councillor ouder ouders verzorger
    vardnadshavare begunstigde ucznia klienta pacjenta pracownika uzytkownika odbiorcy nadawcy
    wlasciciela kierowcy lekarza dziecka rodzica matki ojca infractor infractores demandeurs
    emprunteurs trucker truckers ungdom forelder foreldre maeklare begunstigter antragsteller
    antragstellerin contractor contractors inpatient outpatient newborn infant toddler vecino
    vecinos vecina vecinas morador moradores abitante abitanti residente residentes residenti
    bewohner bewohnerin habitante habitantes ocupante ocupantes associado associados filiado
    filiados abonado abonados suscriptor suscriptores assinante assinantes iscritto iscritti
    abbonato abbonati tesserato tesserati deltagare deelnemer deelnemers teilnehmerin uczestnik
    uczestnicy invitado invitados convidado convidados ospite ospiti jubilado jubilados
    pensionista pensionistas aposentado aposentados rentner rentnerin voluntarios volontari
    benevoles donantes doadores donatori donneurs preso presos detenuto detenuti detenu detenus
    haeftling gefangener soldado soldados voyageur voyageurs passager passagers prevenu prevenus
    victime victimes salarie salaries ehegatte ehegattin ehefrau ehemann buerge buergen
    angehoeriger angehoerige angehoerigen reu reus vitima vitimas victima victimas acusado
    acusados imputado imputados arguido arguidos parente parentes pariente parientes fiador
    fiadores avalista codeudor mandant mandanten mandantin zeugin taeter opfer fluggast
    fluggaeste reisender passagier passagiere insasse insassen hotelgast dr"""
)
"""Nouns for persons; a table whose head is one of them holds a person per row."""

HEAD_FIRST_PERSONS = words(
    """cliente clientes empleado empleados usuario usuarios persona personas pacientes alumnos
    pessoas pessoa funcionarios funcionario clients utilisateurs personnes employes patients
    clienti utenti dipendenti"""
)
"""Those that begin a table's name where the head stands first: `clientes_activos`."""

ROLES = (PERSONS - words("hr lead child staff personnel household")) | words(
    """receiver shipper receptor recebedor receveur recepteur receptora firmante signatario
    signataire rep"""
)
"""Whose name a column may hold: `sender_name`, `nombre_cliente`."""

ROLES_OF_THINGS = words("driver child parent agent client runner worker")
"""Roles that things have as well, in tables of things."""

AMOUNTS = words("amount amt betrag montant importe valor bedrag belopp kwota importo")
"""After pay."""

OF_ADDRESSES = words("ort stadt city town ville ciudad cidade citta plaats stad")
"""Places that are parts of an address themselves: `ort_plz`."""

VETS = words("vet vets veterinary tierarzt tierklinik veterinaire veterinario veterinaria")
"""Health in their tables is an animal's."""

OF_MACHINES = words("cluster pod node service vip nat lb loadbalancer balancer router switch bind")
"""Before a network address, which is then a machine's."""

OF_PROGRAMS = words(
    """oauth oauth2 oidc sso saml api openid mqtt dhcp ci build deploy backup monitoring snmp vpn
    rest soap grpc webhook ldap ssh"""
)
"""Beside such a role, which is then a program."""

PLACES = nouns.PLACES | words(
    """praxis klinik kliniken kanzlei colegio colegios universidad universidade universite
    universitat universitaet faculty campus street streets strassen strassenverzeichnis plz
    krankenhaus krankenhaeuser krankenhauser schule schulen gemeinde gemeinden ort orte depot
    depots werk werke gebaeude firma firmen unternehmen rue rues commune communes entrepots
    succursale succursales hopital hopitaux ecole ecoles societe societes entreprise entreprises
    etablissement etablissements calle calles municipio municipios almacenes sucursales
    hospitales escuela empresa empresas rua ruas armazem armazens filial filiais agencia
    agencias escola escolas bairro bairros comune comuni negozi magazzino magazzini azienda
    aziende citta via vie filiali winkels straat straten gemeente bedrijf bedrijven magazijn
    butiker butik stad gata gator foretag lagret sklepy magazyn magazyny ulica ulice firmy
    miasta oddzial zipcodes postcodes localidad localidades tower towers antenna basestation
    kiosk terminal charger pole well mine farm parking venue warehouse waypoint stop lighthouse
    buoy campsite beach volcano lake river mountain peak trail earthquake quake hurricane
    monument church temple mosque castle pharmacy cafe bar bakery supermarket bridge dam
    reservoir substation dormitory cemetery garden trailhead attraction landmark embassy
    consulate courthouse precinct base site mall market plaza square garage showroom studio
    clubhouse stadium gallery zoo zoos aquarium cinema pub gym pool resort hostel motel inn
    casino mill refinery tunnel dock pier harbor harbour marina runway helipad metro tram
    crossing toilet hydrant island reef glacier waterfall cave crater forest meteorite
    observatory telescope practice practices surgery surgeries clinic clinics laboratory
    laboratories windmill turbine quarry camp shelter farmhouse vineyard winery brewery
    bookstore laundromat"""
)
"""Nouns for places and organisations: their addresses and positions are no person's."""

NEUTRAL = (nouns.NEUTRAL - {"field"}) | words(
    """perso pro personnel personnelle fixe domicile bureau principal principale secondaire
    casa fijo fija fixo particular personal laboral trabajo trabalho oficina residencial
    pessoal principal secundario secundaria alternativo acceso acesso acces entrega envio
    facturacion cobranca livraison facturation destino priv geschaeftlich dienstlich dienst
    zuhause notfall werk thuis prive arbete hem komorkowy domowy sluzbowy casa ufficio
    lavoro fisso prefix suffix first last mid urgencia urgence emergency daytime evening day
    night billing shipping delivery bill ship mailing mask masked tokenized dec nro numer
    nummern klartext orig original kontakt contacto contato contatto pers cli user hashed
    hache cifrado cifrada criptografada hasheado verschluesselt verschlusselt utilisateur
    digits 10 11 12 hex uri url path"""
)
"""Words after a phrase that leave it what it is: `phone number 2`, `password hash`,
            `tel casa`."""

MEASURES = nouns.MEASURES | words(
    """anzahl dauer laenge lange version versionen vorlage modell marke pflicht gueltigkeit
    modele marque longueur duree obligatoire taux cree duracion modelo marca obligatorio
    tasa vencida verificada confirmado activa taxa duracao obrigatorio confirmada
    plantilla inicial final desde hasta ate jusqua tipologia durata obbligatorio campanha
    campana campagne provider proveedor fournisseur usado usada ausgabe"""
)
"""Words after a phrase of a head-first language that turn it into something else."""

NOT_BEFORE = (nouns.NOT_BEFORE - {"num", "number", "object"}) | words(
    """tipo tipos type types typ art modelo modele modell marca marque marke plantilla vorlage
    anzahl cantidad quantidade quantite total taux tasa taxa max min duree duracion duracao
    algoritmo formato format statut estado etat politica politique validez nb qtd qtde cant
    statistik statistique ratio share model brand kind class category categoria categorie
    template placeholder label help hint error message sent received opened clicked wrong
    unknown expired next group grupo gruppe groupe zona secao orgao emissor issuer issuing plage
    rango faixa bereich intervalo intervalle bloque bloco galactic ecliptic celestial solar
    longueur longitud laenge comprimento lunghezza lengte dlugosc taille tamano tamanho"""
)
"""Words before a phrase that turn it into something else: `is_email`, `tipo_telefono`."""

COUNTED_BEFORE = words("num number nombre")
"""Counts before numbers (`num_emails`), else a document's number or a name (`num_passeport`)."""

MEASURED_PAY = nouns.MEASURED_PAY | words(
    """minimo minima maximo maxima promedio media medio moyen moyenne mindest hoechst desde
    hasta grille gruppe group banda escala tranche tope piso teto low high mid midpoint
    target"""
)
"""Around pay: the pay of a job, not of a person."""

OTHER_ADDRESSES = words(
    """mac ip email mail wallet e contract bitcoin eth web memory broadcast subnet network gateway
    multicast shelf bin rack slot node row loopback listen bind load jump slave master register
    modbus i2c coap can asset device smart tag frame io hw pci usb sector page offset relay coil
    bit byte word cell range"""
)
"""Before `address`, which is then no street."""

NAME_WORDS = words("name naam namn navn nom nombre nome nazwa nm names full surname isim ime")

PARTS = words(
    """liefer rechnungs privat haupt zweit geschaefts heimat wohn versand zustell notfall
    kontakt rueckruf ruckruf mobilfunk steuer kranken versicherten versicherungs renten
    sozial bank konto inhaber kreditkarten karten pruef kunden mitarbeiter patienten
    benutzer schueler personen empfaenger besteller halter fahrer vertreter factuur bezorg
    thuis klant klanten medewerker arbets faktura leverans kund anstalld manads hash user
    last first shipping billing delivery customer contact internal external work home
    personal office private primary secondary alternate business permanent emergency
    guardian parent spouse employee patient student member guest passenger driver"""
)
"""First parts of compounds: `lieferstrasse` is a street as much as `liefer_strasse`."""

ORGANISATIONS = words(
    """supplier vendor company firm manufacturer producer brand partner carrier shipper account
    organisation organization agency publisher retailer dealer reseller distributor merchant
    lieferant lieferanten hersteller firma proveedor proveedores fournisseur fournisseurs
    fornecedor fornecedores team group department project product campaign list newsletter
    system server domain fornitore fornitori leverancier leveranciers leverantor dostawca
    dostawcy band artist club association verein tenant institution issuer bank insurer"""
)
"""Tables of these have e-mail addresses and names without being persons."""

THINGS = words(
    """product products item items article articles artikel produkt produkte part parts category
    categories tag tags template templates file files event events course courses role roles
    permission permissions status statuses type types kind kinds producto productos articulo
    articulos produit produits produto produtos prodotto prodotti categoria categorias categorie
    kategorie vorlage datei plantilla archivo fichier arquivo menu plan plans setting settings
    config configuration parameter parametro parametros job task queue pipeline run build
    release device sensor machine language currency engine engines printer database connection
    hardware software app application repository repositories repo repos project projects module
    modules package packages topic topics unit units class classes exam quiz lesson lessons
    chart book books song songs album movie film game model models font fonts species taxon taxa
    taxonomy plant plants genus star planet sport games dish"""
)
"""Nouns for things: nothing beside a name makes it a person's."""

FOODS = words(
    """menu menus food foods dish dishes meal meals recipe recipes ingredient ingredients product
    products item items animal animals dog dogs cat cats pet pets breed breeds livestock herd
    crop crops plant plants pest pests seed seeds insect insects speisen gericht gerichte zutat
    zutaten produkt produkte tier tiere plat plats produit produits aliment aliments plato
    platos producto productos alimento alimentos prato pratos produto produtos piatto piatti
    prodotti"""
)
"""What has allergens, races and diseases without being a person."""
ANIMALS = words(
    """animal animals dog dogs cat cats pet pets horse horses cow cows cattle calf bull pig pigs
    sheep goat goats chicken poultry livestock herd breed breeds litter tier tiere hund hunde
    pferd pferde katze katzen rind rinder schwein chien chiens chat chats cheval chevaux vache
    vaches animaux perro perros gato gatos caballo caballos vaca vacas ganado mascota mascotas
    animales cachorro cavalo cavalos gado animais cane cani gatto gatti cavallo cavalli mucca
    animali hond honden paard paarden koe koeien dier dieren djur hast hastar"""
)
"""What is born without being a person."""
LISTS = words(
    """catalog catalogue katalog catalogo code codes dictionary thesaurus terminology ontology
    chapter"""
)
"""At the end of a table's name: it lists what there is."""
CELLS = words(
    "prison jail inmate prisoner battery sheet excel spreadsheet organism biology culture tissue"
)
"""Cells in these are no telephones."""
STREETS = words("street strasse strassen rue rues calle calles straat straten ulica ulice via gata")
"""Tables that list streets, whoever lives there."""

MACHINES = words(
    """memory register bus cpu packet segment opcode firmware heap symbol pointer stack modbus i2c
    plc scada canbus profibus spi mem ram rom code asm assembly disassembly debugger instruction
    instructions jump jumps interrupt interrupts syscall syscalls kernel"""
)
SERVICES = words(
    "service services server servers node nodes cluster pod host check checks endpoint"
)
NETWORKS = words(
    """network networks subnet subnets dns firewall router routers switch switches gateway gateways
    proxy route routes vpn vlan cidr cidrs netz netze reseau reseaux red redes rede infra
    infrastructure infrastructures domain domains zone zones version versions release releases"""
)
"""Addresses in these are of machines, or no addresses at all."""
LEDGERS = words(
    """gl ledger coa chart sachkonto sachkonten comptable comptables contable contables contabil
    contabeis plan kontenplan kostenart"""
)
"""Accounts in these are of bookkeeping, no bank's."""
TEXTS = words(
    """gpio connector chip board pin nlp corpus lexer parser llm tokenizer vocabulary vocab
    sentence word words ngram port ports socket pinout circuit component components lane bowling
    mcu microcontroller fpga lexeme lexemes ngrams stem stems term terms"""
)
"""Tokens in these are pieces of text, pins are of metal."""
CATALOGUES = words(
    """disease diseases illness illnesses symptom symptoms religion religions ethnicity drug
    drugs medicine medicines vaccine vaccines icd enfermedad enfermedades doenca doencas
    maladie maladies krankheit krankheiten religionen religiones religioes medicamento
    medicamentos medicament medicaments medikament medikamente vacuna vacunas vacina vacinas
    malattia malattie"""
)
"""Tables that list what there is, whoever has it."""
MOVES = words(
    """log logs track trip ping session visit checkin event ride journey login logins access
    audit request requests hit hits traffic connection visitor click anmeldung anmeldungen
    zugriff connexion connexions acceso accesos acesso acessos accesso accessi fahrt fahrten
    viaje viajes viagem viagens trajet trajets"""
)
"""Rows that tell where somebody was, or from where he came."""
BANKS = words(
    """account acct acc bank payment payee payout transfer transaction payroll beneficiary iban
    konto konten compte comptes cuenta cuentas conta contas refund direct mandate lastschrift
    lastschriften mandat mandate mandates mandats mandato mandatos prelevement prelevements
    zahlungs zahlung zahlungen paiement paiements pago pagos pagamento pagamentos sepa debit
    remittance remittances wire wires withdrawal withdrawals deposit deposits"""
)
BANKS_THEMSELVES = words("bank banks banken banque banques banco bancos banche banca banker")
"""Their codes and accounts are no person's."""
PAYS = words(
    """pay payroll salary compensation wage wages payslip payslips paycheck earnings paie lohn
    gehalt gehaltsabrechnung nomina nominas folha busta bulletin loonstrook loonstrookje"""
)
CALLS = words(
    """call calls cdr cdrs sms mms voicemail dialer callog anruf anrufe appel appels llamada
    llamadas chamada chamadas chiamata chiamate oproep oproepen samtal polaczenie polaczenia"""
)
"""Rows that tell who spoke with whom."""
DEVICES = words(
    """device devices phone phones handset handsets nic interface interfaces lease leases dhcp wifi
    wlan client clients station endpoint computer computers laptop laptops tablet tablets pc
    network networks networkport networkports adapter adapters ethernet"""
)
"""What somebody carries or sits at."""
VEHICLES = words(
    """fuhrpark flotte flota frota parque vehicle vehicles car cars fleet truck fahrzeug fahrzeuge
    auto autos vehicule vehicules voiture voitures vehiculo vehiculos coche veiculo veiculos
    carro carros veicolo veicoli voertuig voertuigen fordon pojazd pojazdy kfz parking rental
    driver drivers bil bilar samochod samochody fahrzeughalter motorbike motorbikes motorcycle
    motorcycles bus buses van vans transport transports transporte transportes camion camiones
    camions caminhao caminhoes"""
)

ONLY_AS: dict[Phrase, frozenset[str]] = {("firma",): frozenset({"binary"})}
"""Words of persons' tables that mean something else in other types: a company in German."""
