"""Words that tell personal and secret columns, in a dozen languages; accents are taken off.

A phrase stands at the end of a name (`billing email`), but for tails that don't change what is
stored (`email address 2`). Languages that put the head first (`telefono movil`) have lists of
their own, whose phrases may be followed by anything but a word of measure (`telefono tipo`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of sensitive data."""

    title: str
    """How the reason names it."""
    not_in: frozenset[str]
    """Type families that can't hold it."""
    tail: tuple[tuple[str, ...], ...] = ()
    """Phrases of head-last languages (English, German, Dutch, Nordic, Turkish, …)."""
    head: tuple[tuple[str, ...], ...] = ()
    """Phrases of head-first languages (French, Spanish, Portuguese, Italian, …)."""
    in_person_table: tuple[tuple[str, ...], ...] = ()
    """Whole names that are sensitive only in a table of persons."""
    tail_words: frozenset[str] = frozenset()
    """More words that may follow."""


_NUMBERS = frozenset({"integer", "decimal", "float"})
_TIMES = frozenset({"date", "time", "timestamp", "interval"})
_NO_TEXT = _NUMBERS | _TIMES | {"boolean", "binary"}


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in text.replace("\n", ",").split(",") if phrase.strip())


KINDS = (
    Kind(
        "name of a person",
        _NO_TEXT,
        _phrases(
            """first name, last name, middle name, full name, given name, family name, maiden name, fname, lname,
            surname, forename, firstname, lastname, nick name, nickname, birth name, preferred name, legal name,
            middle initial, mothers name, mother name, father name, spouse name, christian name, second name
            vorname, nachname, zuname, familienname, geburtsname, rufname, ansprechpartner, ansprechperson
            voornaam, achternaam, tussenvoegsel, fornamn, efternamn, fornavn, etternavn, efternavn, mellemnavn
            etunimi, sukunimi, imie, nazwisko, jmeno, prijmeni, priezvisko, keresztnev, vezeteknev, csaladnev
            soyad, soyadi, soyisim, prenume, familiya, imya, otchestvo, eesnimi, perekonnanimi
            имя, фамилия, отчество, фио, 姓名, 氏名, 名前, 姓, 이름
            cardholder, card holder, account holder, contact person, emergency contact, next of kin, kin name
            kontoinhaber, karteninhaber"""
        ),
        _phrases(
            """prenom, nom famille, nom de famille, nom usage, nom jeune fille, nom complet, nom naissance
            nombre completo, nombre pila, apellido, apellidos, primer nombre, segundo nombre, primer apellido
            segundo apellido, nome completo, primeiro nome, ultimo nome, sobrenome, apelido, cognome
            persona contacto, titular"""
        ),
        _phrases(
            """name, names, display name, initials, alias, nom, nombre, nombres, nome, nomes, naam, namn, navn, nimi, nev,
            ad, ad soyad, isim, nazwa, name 1, name 2, name1, name2, label, known as"""
        ),
    ),
    Kind(
        "e-mail address",
        _NO_TEXT,
        _phrases(
            """email, e mail, mail, email addr, email address, mail address, mailaddress, emailadresse, mailadresse
            epost, e post, epostadress, sahkoposti, mejl, eposta, e posta, эл почта, почта, メール, 邮箱, 电子邮件"""
        ),
        _phrases("correo, correo electronico, courriel, adresse mail, adresse courriel, adresse electronique, mel"),
        tail_words=frozenset({"id"}),
    ),
    Kind(
        "phone number",
        _TIMES | {"boolean", "binary"},
        _phrases(
            """phone, telephone, tel, mobile, mobile phone, cell phone, cellphone, fax, telefax, whatsapp, msisdn, landline
            telefon, telefonnummer, telefonnr, tel nr, rufnummer, handy, handynummer, handynr, mobil, mobilnummer,
            mobiltelefon, festnetz, faxnummer, telefoon, telefoonnummer, telefonnumer, komorka, puhelin, puhelinnumero,
            telefono, telefone, телефон, 電話, 电话, 手机, phone nbr, fone"""
        ),
        _phrases(
            """telefono, telefone, numero telefono, numero telefone, numero telephone, numero de telephone, celular, movil,
            portable, telemovel, cellulare, telefon, numar telefon"""
        ),
        _phrases("cell, extension, phone ext, durchwahl, cel, gsm"),
    ),
    Kind(
        "date or place of birth",
        frozenset({"boolean", "binary"}),
        _phrases(
            """birth date, birthdate, date of birth, dob, birthday, birth day, birth dt, born on, birth year, year of birth,
            birth place, birthplace, place of birth, place birth, born at, birth time, born, bday
            geburtsdatum, geburtstag, geburtsjahr, geburtsort, geb datum, gebdat, gebdatum, geboortedatum, geboorteplaats
            fodselsdato, fodelsedatum, fodselsdag, syntymaaika, data urodzenia, miejsce urodzenia, datum narozeni
            dogum tarihi, дата рождения, 生年月日, 出生日期"""
        ),
        _phrases(
            """date naissance, date de naissance, lieu naissance, lieu de naissance, fecha nacimiento, fecha de nacimiento
            lugar nacimiento, fec nac, fecha nac, data nascimento, data de nascimento, dt nascimento, dt nasc, data nasc
            nascimento, nacimiento, naissance, data nascita, data di nascita, luogo nascita, data nasterii"""
        ),
    ),
    Kind(
        "national or tax identity number",
        _TIMES | {"boolean", "binary"},
        _phrases(
            """ssn, social security, social security number, social security no, social insurance, sin number, nino, nin
            national id, national identity, national identifier, national insurance, national number, nationality number
            passport, passport number, identity card, id card, id document, identity number, identity document, citizen id
            driver license, drivers license, driver licence, drivers licence, driving license, driving licence, dl number
            voter id, tax id, tax identification, tax number, taxpayer id, taxpayer number, tin, itin, aadhaar, aadhar, pan number
            pesel, bsn, personnummer, personnr, cpr, cpr number, fodselsnummer, henkilotunnus, hetu, nric, mykad, hkid, tckn
            tc kimlik, tc kimlik no, kimlik no, steuer id, steuernummer, steuernr, steueridentifikationsnummer, sozialversicherung
            sozialversicherungsnummer, svnr, sv nummer, sv nr, ahv nummer, ahv nr, ahv, ausweisnummer, ausweisnr, ausweis
            personalausweis, personalausweisnummer, reisepass, passnummer, reisepassnummer, fuehrerschein, fuhrerschein
            fuhrerscheinnummer, rijbewijs, paspoort, rodne cislo, паспорт, инн, снилс, 身份证, マイナンバー
            license plate, licence plate, plate number, military id, residence permit, visa number, green card number
            student id number, nhs number, medicare number, medicare id, medicaid id"""
        ),
        _phrases(
            """cpf, dni, nie, nif, nss, curp, cuil, cuit, rfc, run, rut, niss, cnp, passeport, pasaporte, passaporte, passaporto
            cedula, cedula identidad, documento identidad, documento identidade, identidade, carteira identidade, rg, cnh
            numero securite sociale, numero de securite sociale, securite sociale, num secu, nir, seguridad social
            numero seguridad social, seguro social, carte identite, numero identite, permis conduire, permis de conduire
            licencia conducir, carnet conducir, carteira motorista, codice fiscale, patente guida, carta identita, titulo eleitor"""
        ),
        _phrases("license number, licence number, license no, licence no, id number, id no, identification, document number, legal id"),
        tail_words=frozenset({"id", "scan", "copy", "image"}),
    ),
    Kind(
        "payment card",
        _TIMES | {"boolean", "binary", "float"},
        _phrases(
            """card number, card no, card num, card nbr, card pan, cardnumber, credit card, creditcard, debit card, cc number
            cc num, cc no, ccnum, ccn, cvv, cvc, cvv 2, cvc 2, csc code, card security code, card verification, card cvv, card cvc
            cc last 4, card last 4, last 4, last four, card last four, card expiry, card expiration, cc expiry, cc exp, card exp
            primary account number, card track, card token
            kreditkarte, kreditkartennummer, kartennummer, kartennr, kreditkartennr, pruefziffer karte, kortnummer, kredi karti
            creditcardnummer"""
        ),
        _phrases(
            """numero carte, numero de carte, carte bancaire, carte credit, carte de credit, numero tarjeta, tarjeta credito
            tarjeta de credito, numero de tarjeta, cartao credito, cartao de credito, numero cartao, numero do cartao
            carta di credito, carta credito, numero carta"""
        ),
    ),
    Kind(
        "bank account",
        _TIMES | {"boolean", "binary", "float"},
        _phrases(
            """iban, bank account, bank account number, bank acct, bank acc, acct number bank, routing number, routing no
            sort code, bsb, bsb number, aba number, swift iban, bank details, bank number, giro account, iban last 4
            kontonummer, kontonr, konto nr, bankverbindung, bankkonto, bankkontonummer, rekeningnummer, bankrekening
            bankkontonr, clearing number, nr konta, numer konta, rachunek bankowy, hesap no, счет, расчетный счет, 银行账号, 口座番号"""
        ),
        _phrases(
            """cuenta bancaria, numero cuenta, numero de cuenta, cuenta corriente, clabe, conta bancaria, conta corrente
            numero conta, numero da conta, numero compte, numero de compte, compte bancaire, rib, conto corrente, numero conto
            coordonnees bancaires, chave pix"""
        ),
    ),
    Kind(
        "password, key or other secret",
        _TIMES | {"boolean", "float", "decimal"},
        _phrases(
            """password, passwd, passphrase, pwd, pass word, passcode, pin, pin code, user pin, card pin, secret, secret key
            client secret, shared secret, app secret, webhook secret, api key, apikey, api secret, api token, private key, ssh key
            access key, access key id, secret access key, encryption key, signing key, master key, access token, refresh token
            auth token, session token, bearer token, id token, reset token, remember token, verification token, invite token
            device token, push token, csrf token, oauth token, token, jwt, otp, otp code, otp secret, totp, totp seed, totp secret
            mfa secret, mfa code, two factor secret, two factor code, recovery code, backup code, security answer, secret answer
            security code, auth code, credential, seed phrase, mnemonic, salt, password salt, pw hash, cookie value, session cookie
            connection string, hash password, pass hash, key pem, magic link
            passwort, kennwort, losungswort, geheimnis, zugangsdaten, sicherheitsantwort, wachtwoord, losenord, adgangskode
            passord, salasana, haslo, heslo, jelszo, sifre, parola, пароль, パスワード, 密码"""
        ),
        _phrases(
            """mot de passe, mot passe, mdp, motdepasse, contrasena, contrasenia, clave acceso, clave secreta, senha
            palavra passe, parola, parola accesso, clave privada, cle privee, cle api, cle secrete, reponse secrete, jeton acces"""
        ),
        _phrases("pw, pass, key, auth key, clave, hash"),
        tail_words=frozenset({"salt", "digest", "pem", "previous", "old", "new", "current"}),
    ),
    Kind(
        "street or postal address",
        _TIMES | {"boolean", "binary", "float", "decimal"},
        _phrases(
            """address, addr, street, street address, street name, street number, street no, house number, house no, house nr
            address line, addr line, street line, home address, residence, mailing address, postal address, zip, zip code, zipcode
            postal code, postcode, post code, po box, apartment number, apt number, apt no, full address, building number
            adresse, anschrift, strasse, str nr, strassenname, hausnummer, hausnr, postleitzahl, plz, postfach, wohnort
            wohnadresse, lieferadresse, rechnungsadresse, lieferanschrift, rechnungsanschrift, adres, straat, straatnaam
            huisnummer, postbus, adress, gatuadress, postnummer, postnr, gate, vej, katuosoite, osoite, postinumero, ulica
            nr domu, kod pocztowy, ulice, psc, cim, utca, iranyitoszam, posta kodu, адрес, улица, индекс, 住所, 地址, 郵便番号, 邮编"""
        ),
        _phrases(
            """adresse, rue, numero rue, voie, code postal, cp, direccion, calle, domicilio, codigo postal, numero calle, endereco
            logradouro, rua, cep, codigo postal, bairro, morada, indirizzo, codice postale, numero civico, adresa, strada, cod postal"""
        ),
    ),
    Kind(
        "network or device identifier",
        _TIMES | {"boolean", "float", "decimal"},
        _phrases(
            """ip, ip address, ip addr, ipaddress, ipaddr, remote ip, client ip, remote addr, remote address, ipv 4, ipv 6, inet addr
            mac address, mac addr, imei, imei number, imsi, iccid, meid, udid, idfa, gaid, advertising id, ad id mobile
            device identifier, device fingerprint, browser fingerprint, cookie id, device serial, host ip, ip adresse, ip adres
            android id, bluetooth address, sim number, device id"""
        ),
        _phrases("adresse ip, direccion ip, endereco ip, indirizzo ip"),
    ),
    Kind(
        "position of a person",
        _TIMES | {"boolean", "binary", "integer"},
        _phrases(
            """latitude, longitude, lat, lon, lng, long lat, lat long, lat lng, lat lon, gps, gps lat, gps lon, gps lng, gps position
            gps coordinates, coordinates, geo location, geolocation, geo point, geo lat, geo lon, geo lng, gps location, last location
            breitengrad, laengengrad, langengrad, home location, geom point"""
        ),
        _phrases("latitud, longitud, latitudine, longitudine, coordenadas, coordonnees gps, posicion gps"),
    ),
    Kind(
        "health data",
        _TIMES | {"boolean", "float", "decimal"},
        _phrases(
            """icd, icd code, icd 10, icd 9, diagnosis, diagnoses, diagnosis code, diagnosis text, medication, medications
            prescription, allergy, allergies, blood type, blood group, disability, hiv status, disease, symptoms, symptom, illness
            medical history, medical condition, medical record number, medical record no, mrn, health status, health condition
            health insurance number, insurance number, insurance policy number, patient number, vaccination status, pregnancy status
            mental health, chief complaint, treatment notes, lab result, genetic data, genotype, dna sequence, handicap
            diagnose, krankheit, krankenkasse, krankenversicherung, krankenversicherungsnummer, versichertennummer, blutgruppe
            behinderung, allergie, allergien, medikament, medikamente, befund, bloedgroep, ziekte, diagnos, sjukdom, diagnoza
            choroba, диагноз, группа крови, 病历"""
        ),
        _phrases(
            """diagnostic medical, diagnostico, diagnostico medico, groupe sanguin, grupo sanguineo, tipo sangre, tipo sanguineo
            maladie, enfermedad, doenca, discapacidad, deficiencia, handicap, alergia, alergias, antecedents medicaux
            historial medico, medicamento, gruppo sanguigno, malattia, diagnosi, assurance maladie"""
        ),
        tail_words=frozenset({"code", "description", "notes", "desc", "10", "9"}),
    ),
    Kind(
        "special category of personal data",
        _TIMES | {"float", "decimal"},
        _phrases(
            """ethnicity, ethnic group, ethnic origin, ethnic background, race ethnicity, racial origin, religion, religious belief
            religious affiliation, faith, political party, political opinion, political affiliation, political view, party affiliation
            party membership, sexual orientation, sexuality, sexual preference, sex life, gender identity, trade union, union member
            union membership, trade union membership, criminal record, criminal history, conviction, convictions, caste
            immigration status, philosophical belief, veteran status
            religion, konfession, religionszugehorigkeit, religionszugehoerigkeit, ethnie, herkunft ethnisch, gewerkschaft
            gewerkschaftszugehorigkeit, sexuelle orientierung, vorstrafen, parteizugehorigkeit, geloofsovertuiging, etniciteit
            religia, вероисповедание, национальность"""
        ),
        _phrases(
            """origine ethnique, orientation sexuelle, opinion politique, appartenance syndicale, casier judiciaire, origen etnico
            orientacion sexual, opinion politica, afiliacion sindical, afiliacion politica, antecedentes penales, etnia, raca, religiao
            orientacao sexual, filiacao partidaria, religione, orientamento sessuale, cor raca"""
        ),
        _phrases("race, raza, croyance"),
    ),
    Kind(
        "pay of a person",
        _TIMES | {"boolean", "binary"},
        _phrases(
            """salary, base salary, annual salary, monthly salary, wage, wages, hourly wage, hourly rate, pay rate, base pay, net pay
            gross pay, take home pay, compensation, annual income, household income, monthly income, net worth, credit score
            gehalt, grundgehalt, jahresgehalt, monatsgehalt, lohn, stundenlohn, bruttolohn, nettolohn, bruttogehalt, nettogehalt
            salaris, loon, brutoloon, lon, loon, palkka, wynagrodzenie, pensja, plat, mzda, fizetes, maas, зарплата, оклад, 給与, 工资"""
        ),
        _phrases(
            """salaire, salaire brut, salaire net, remuneration, salario, sueldo, salario bruto, salario base, remuneracion, remuneracao
            vencimento, ordenado, stipendio, retribuzione, salariu, nomina"""
        ),
        _phrases("income, pay, rate, bonus, commission, einkommen, ingresos, renda"),
        tail_words=frozenset({"amount", "amt", "gross", "net", "annual", "monthly", "yearly", "usd", "eur", "gbp", "cents"}),
    ),
    Kind(
        "picture or biometric trait",
        _NUMBERS | _TIMES | {"boolean"},
        _phrases(
            """finger print, fingerprint template, fingerprint scan, fingerprint image, finger print data, face template, face encoding
            face embedding, facial template, face id data, faceprint, face vector, iris scan, iris template, iris code, retina scan
            voice print, voiceprint, voice sample, palm print, biometric, biometrics, biometric template, biometric data, selfie
            profile photo, profile picture, profile image, passport photo, id photo, user photo, mugshot, handwritten signature
            fingerabdruck, passfoto, passbild, profilbild, unterschrift, gesichtsbild, vingerafdruk, odcisk palca"""
        ),
        _phrases("empreinte digitale, photo identite, photo profil, huella dactilar, huella digital, impressao digital, impronta digitale, firma digitalizada"),
        _phrases(
            """photo, picture, avatar, portrait, image, signature, photo path, photo url, picture url, avatar url, image url
            fingerprint, face, foto, bild, lichtbild, headshot, resume, cv, curriculum, lebenslauf"""
        ),
    ),
    Kind(
        "user name or login",
        _NO_TEXT,
        _phrases(
            """user name, username, login name, login id, user login, logon name, logon id, screen name, account login, sam account name
            samaccountname, upn, user principal name, user handle, twitter handle, instagram handle, skype, skype id, skype name
            benutzername, benutzerkennung, anmeldename, nutzername, gebruikersnaam, anvandarnamn, brukernavn, brugernavn
            kayttajatunnus, kayttajanimi, kullanici adi, nazwa uzytkownika, логин, ユーザー名, 用户名"""
        ),
        _phrases("nom utilisateur, nom d utilisateur, identifiant connexion, nombre usuario, nombre de usuario, nome usuario, nome de usuario, nome utilizador, nome utente"),
        _phrases("login, logon, handle, user, usuario, utilisateur, kennung"),
    ),
    Kind(
        "personal details",
        _NO_TEXT,
        _phrases("resume, curriculum vitae, lebenslauf, contact info, contact details, contact information, additional contact info, personal details, personal info, personal data"),
        _phrases("curriculum, datos personales, datos contacto, dados pessoais, donnees personnelles"),
        _phrases("demographics, biography, personal notes, details, bio"),
    ),
)

PERSONS = frozenset(
    """person people customer client consumer employee staff worker user member patient student pupil teacher contact lead
    passenger driver guest subscriber applicant candidate citizen resident donor visitor beneficiary cardholder insured physician
    doctor nurse voter parent child spouse manager supervisor instructor professor participant attendee recipient reviewer
    salesperson buyer borrower tenant cashier technician caller respondent referrer inhabitant caregiver relative dependent
    prospect signatory approver requester volunteer policyholder shareholder investor individual clinician traveler traveller rider
    courier learner coach trainee resident freelancer personnel hr officer appointee claimant debtor payee householder
    kunde kunden mitarbeiter angestellte angestellter benutzer nutzer personen mitglied mitglieder schueler schuler lehrer patienten
    ansprechpartner teilnehmer bewerber fahrer versicherter versicherte einwohner buerger burger interessent interessenten
    kontakt kontakte personal studenten arzt arzte aerzte
    employe employes utilisateur utilisateurs personne personnes salarie salaries eleve eleves etudiant etudiants membre membres
    adherent adherents conducteur patiente abonne abonnes candidat candidats usager usagers
    cliente clientes empleado empleados usuario usuarios persona personas paciente pacientes alumno alumnos contacto contactos
    estudiante estudiantes trabajador trabajadores miembro miembros socio socios conductor profesor profesores
    pessoa pessoas funcionario funcionarios colaborador colaboradores utilizador utilizadores aluno alunos contato contatos
    utente utenti clienti dipendente dipendenti persone paziente pazienti studente studenti
    klant klanten medewerker medewerkers persoon gebruiker gebruikers leden lid patient patienten
    klient klienci pracownik pracownicy osoba osoby uzytkownik pacjent zakaznik zamestnanec
    kund kunder anstalld anstallda ansatt ansatte bruker brukere elev elever medlem medlemmer medlemmar henkilo asiakas tyontekija
    musteri calisan kullanici hasta ogrenci""".split()
)
"""Nouns for persons; a table whose head is one of them holds a person per row."""

PLACES = frozenset(
    """store shop warehouse whs branch outlet office site facility plant factory depot venue hotel restaurant airport station stop
    port city town village country region state province county district territory zone place location poi landmark building
    museum park stadium theater theatre hospital clinic school university college library bank atm filiale filialen lager
    lagerort standort standorte stadt stadte land lander ville villes magasin magasins tienda tiendas ciudad ciudades loja lojas
    cidade cidades pais paises negozio citta almacen sucursal agence entrepot winkel vestiging sklep miasto butik sensor
    company companies organization organisation weather map geo geography municipality continent neighborhood area
    carrier shipper""".split()
)
"""Nouns for places and organisations: their addresses and positions are no person's."""

NEUTRAL = frozenset(
    """number no nr num nbr nummer numero num value val text txt raw hash hashed encrypted enc encr masked plain clean cleaned
    normalized primary secondary main alternate alternative alt other home work private business office personal mobile line
    lines full part address addr adresse string str code field data list old new current previous original latest local intl
    international us 1 2 3 4 5 a b c kunde kunden privat privee prive geschaeftlich customer client user employee person
    contact patient en de last 4 four digits bin sha md crypt cipher ciphertext bytes key ext 256 512""".split()
)
"""Words after a phrase that leave it what it is: `phone number 2`, `password hash`."""

MEASURES = frozenset(
    """count cnt counts qty quantity total sum avg mean max min length len size type types kind kinds format status state rate ratio
    percent pct model version required needed enabled disabled flag verified valid validated confirmed check checked score
    template server host provider domain subject days hours expires expiry expired changed at on since until date time
    discount promotion policy rule pattern regex category class group level tier brand index position order orders sent opened
    tipo tipos cantidad estado formato fecha quantite nombre statut etat quantidade situacao stato attivo activo valide valido
    verificado verifie anzahl typ art status datum limit limite bucket id ids""".split()
)
"""Words after a phrase of a head-first language that turn it into something else."""

NOT_BEFORE = frozenset(
    """is has have can may should must allow allows allowed num number count cnt n max min maximum minimum avg average mean sum
    total need needs send sends sent show shows hide require requires required use uses enable enabled disable verify verified
    valid invalid missing without days hours times pct percent rate ratio default sample example dummy cache cached public
    primarykey foreign sort partition object template base memory bus register web website site url virtual physical contract
    support noreply tokens token page first_seen license file zip cell gateway subnet dns range grade band pay_grade""".split()
)
"""Words before a phrase that turn it into something else: `is_email`, `base_address`."""

MEASURED_PAY = frozenset("min max minimum maximum avg average median range band grade from to".split())
"""Before pay: the pay of a job, not of a person."""


@cache
def vocabulary() -> frozenset[str]:
    """Return every word that a name written without gaps (`emailaddress`) may be split into."""
    known = set(PERSONS) | {w for w in NEUTRAL if len(w) > 2} | {w for w in MEASURES if len(w) > 2}
    known |= {"no", "nr", "id", "is", "of", "last", "first", "business", "company", "product"}
    for kind in KINDS:
        for phrase in (*kind.tail, *kind.head, *kind.in_person_table):
            known.update(word for word in phrase if len(word) > 2)  # noqa: PLR2004  # shorter ones split anything
    return frozenset(known)
