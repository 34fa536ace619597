"""Words for who somebody is and how to reach them, in a dozen languages; accents are taken off."""

from __future__ import annotations

from pipeline.profile.kinds import NOT_TEXT, NUMBERS, TIMES, Kind, phrases, words

IDENTITY = (
    Kind(
        "name of a person",
        NOT_TEXT,
        tail=phrases(
            """first name, last name, first nm, last nm, ename, middle name, full name,
            given name, family name, maiden name,
            fname, lname, surname, forename, firstname, lastname, nick name, nickname,
            birth name, preferred name, legal name, middle initial, mothers name, mother name,
            father name, spouse name, christian name, second name, vorname, nachname, zuname,
            familienname, geburtsname, rufname, ansprechpartner, ansprechperson, voornaam,
            achternaam, tussenvoegsel, fornamn, efternamn, fornavn, etternavn, efternavn,
            mellemnavn, etunimi, sukunimi, imie, nazwisko, jmeno, prijmeni, priezvisko,
            keresztnev, vezeteknev, csaladnev, soyad, soyadi, soyisim, prenume, familiya, imya,
            otchestvo, eesnimi, perekonnanimi, имя, фамилия, отчество, фио,
            姓名, 氏名, 名前, 姓, 이름,
            cardholder, card holder, account holder, contact person, emergency contact,
            next of kin, kin name, kontoinhaber, karteninhaber"""
        ),
        head=phrases(
            """prenom, nom famille, nom de famille, nom usage, nom jeune fille, nom complet,
            nom naissance, nombre completo, nombre pila, apellido, apellidos, primer nombre,
            segundo nombre, primer apellido, segundo apellido, nome completo, primeiro nome,
            ultimo nome, sobrenome, apelido, cognome, persona contacto, titular"""
        ),
        in_person_table=phrases(
            """name, names, display name, initials, alias, nom, nombre, nombres, nome, nomes, naam,
            namn, navn, nimi, nev, ad, ad soyad, isim, nazwa, name 1, name 2, name1, name2,
            label, known as"""
        ),
    ),
    Kind(
        "e-mail address",
        NOT_TEXT,
        tail=phrases(
            """email, e mail, mail, email addr, email address, mail address, mailaddress,
            emailadresse, mailadresse, epost, e post, epostadress, sahkoposti, mejl, eposta,
            e posta, эл почта, почта, メール, 邮箱, 电子邮件"""
        ),
        head=phrases(
            """correo, correo electronico, courriel, adresse mail, adresse courriel,
            adresse electronique, mel"""
        ),
        tail_words=words("id"),
    ),
    Kind(
        "phone number",
        TIMES | {"binary", "boolean"},
        tail=phrases(
            """phone, telephone, tel, mobile, mobile phone, cell phone, cellphone, fax, telefax,
            whatsapp, msisdn, landline, telefon, telefonnummer, telefonnr, tel nr, rufnummer,
            handy, handynummer, handynr, mobil, mobilnummer, mobiltelefon, festnetz, faxnummer,
            telefoon, telefoonnummer, telefonnumer, komorka, puhelin, puhelinnumero, telefono,
            telefone, телефон, 電話, 电话, 手机, phone nbr, fone"""
        ),
        head=phrases(
            """telefono, telefone, numero telefono, numero telefone, numero telephone,
            numero de telephone, celular, movil, portable, telemovel, cellulare, telefon,
            numar telefon"""
        ),
        in_person_table=phrases("""cell, extension, phone ext, durchwahl, cel, gsm"""),
    ),
    Kind(
        "date or place of birth",
        frozenset({"binary", "boolean"}),
        tail=phrases(
            """birth date, birthdate, date of birth, dob, birthday, birth day, birth dt, born on,
            birth year, year of birth, birth place, birthplace, place of birth, place birth,
            born at, birth time, born, bday, geburtsdatum, geburtstag, geburtsjahr, geburtsort,
            geb datum, gebdat, gebdatum, geboortedatum, geboorteplaats, fodselsdato,
            fodelsedatum, fodselsdag, syntymaaika, data urodzenia, miejsce urodzenia,
            datum narozeni, dogum tarihi, дата рождения, 生年月日, 出生日期"""
        ),
        head=phrases(
            """date naissance, date de naissance, lieu naissance, lieu de naissance,
            fecha nacimiento, fecha de nacimiento, lugar nacimiento, fec nac, fecha nac,
            data nascimento, data de nascimento, dt nascimento, dt nasc, data nasc, nascimento,
            nacimiento, naissance, data nascita, data di nascita, luogo nascita, data nasterii"""
        ),
    ),
    Kind(
        "national or tax identity number",
        TIMES | {"binary", "boolean"},
        tail=phrases(
            """ssn, social security, social security number, social security no, social insurance,
            sin number, nino, nin, national id, national identity, national identifier,
            national insurance, national number, nationality number, passport, passport number,
            identity card, id card, id document, identity number, identity document, citizen id,
            driver license, drivers license, driver licence, drivers licence, driving license,
            driving licence, dl number, voter id, tax id, tax identification, tax number,
            taxpayer id, taxpayer number, tin, itin, aadhaar, aadhar, pan number, pesel, bsn,
            personnummer, personnr, cpr, cpr number, fodselsnummer, henkilotunnus, hetu, nric,
            mykad, hkid, tckn, tc kimlik, tc kimlik no, kimlik no, steuer id, steuernummer,
            steuernr, steueridentifikationsnummer, sozialversicherung,
            sozialversicherungsnummer, svnr, sv nummer, sv nr, ahv nummer, ahv nr, ahv,
            ausweisnummer, ausweisnr, ausweis, personalausweis, personalausweisnummer,
            reisepass, passnummer, reisepassnummer, fuehrerschein, fuhrerschein,
            fuhrerscheinnummer, rijbewijs, paspoort, rodne cislo, паспорт, инн, снилс, 身份证,
            マイナンバー, license plate, licence plate, plate number, military id, residence permit,
            visa number, green card number, student id number, nhs number, medicare number,
            medicare id, medicaid id"""
        ),
        head=phrases(
            """cpf, dni, nie, nif, nss, curp, cuil, cuit, rfc, run, rut, niss, cnp, passeport,
            pasaporte, passaporte, passaporto, cedula, cedula identidad, documento identidad,
            documento identidade, identidade, carteira identidade, numero rg, cnh,
            numero securite sociale, numero de securite sociale, securite sociale, num secu,
            nir, seguridad social, numero seguridad social, seguro social, carte identite,
            numero identite, permis conduire, permis de conduire, licencia conducir,
            carnet conducir, carteira motorista, codice fiscale, patente guida, carta identita,
            titulo eleitor"""
        ),
        in_person_table=phrases(
            """license number, licence number, license no, licence no, id number, id no,
            identification, document number, legal id"""
        ),
        tail_words=words("copy id image scan"),
    ),
    Kind(
        "street or postal address",
        TIMES | {"binary", "boolean", "decimal", "float"},
        tail=phrases(
            """address, addr, street, street address, street name, street number, street no,
            house number, house no, house nr, address line, addr line, street line,
            home address, residence, mailing address, postal address, zip, zip code, zipcode,
            postal code, postcode, post code, po box, apartment number, apt number, apt no,
            full address, building number, adresse, anschrift, strasse, str nr, strassenname,
            hausnummer, hausnr, postleitzahl, plz, postfach, wohnort, wohnadresse,
            lieferadresse, rechnungsadresse, lieferanschrift, rechnungsanschrift, adres, straat,
            straatnaam, huisnummer, postbus, adress, gatuadress, postnummer, postnr, gate, vej,
            katuosoite, osoite, postinumero, ulica, nr domu, kod pocztowy, ulice, psc, cim,
            utca, iranyitoszam, posta kodu, адрес, улица, индекс, 住所, 地址, 郵便番号, 邮编"""
        ),
        head=phrases(
            """adresse, rue, numero rue, voie, code postal, cp, direccion, calle, domicilio,
            codigo postal, numero calle, endereco, logradouro, rua, cep, codigo postal, bairro,
            morada, indirizzo, codice postale, numero civico, adresa, strada, cod postal"""
        ),
    ),
    Kind(
        "picture or biometric trait",
        NUMBERS | TIMES | {"boolean"},
        tail=phrases(
            """finger print, fingerprint template, fingerprint scan, fingerprint image,
            finger print data, face template, face encoding, face embedding, facial template,
            face id data, faceprint, face vector, iris scan, iris template, iris code,
            retina scan, voice print, voiceprint, voice sample, palm print, biometric,
            biometrics, biometric template, biometric data, selfie, profile photo,
            profile picture, profile image, passport photo, id photo, user photo, mugshot,
            handwritten signature, fingerabdruck, passfoto, passbild, profilbild, unterschrift,
            gesichtsbild, vingerafdruk, odcisk palca"""
        ),
        head=phrases(
            """empreinte digitale, photo identite, photo profil, huella dactilar, huella digital,
            impressao digital, impronta digitale, firma digitalizada"""
        ),
        in_person_table=phrases(
            """photo, picture, avatar, portrait, image, signature, photo path, photo url,
            picture url, avatar url, image url, fingerprint, face, foto, bild, lichtbild,
            headshot"""
        ),
    ),
    Kind(
        "user name or login",
        NOT_TEXT,
        tail=phrases(
            """user name, username, login name, login id, user login, logon name, logon id,
            screen name, account login, sam account name, samaccountname, upn,
            user principal name, user handle, twitter handle, instagram handle, skype, skype id,
            skype name, benutzername, benutzerkennung, anmeldename, nutzername, gebruikersnaam,
            anvandarnamn, brukernavn, brugernavn, kayttajatunnus, kayttajanimi, kullanici adi,
            nazwa uzytkownika, логин, ユーザー名, 用户名"""
        ),
        head=phrases(
            """nom utilisateur, nom d utilisateur, identifiant connexion, nombre usuario,
            nombre de usuario, nome usuario, nome de usuario, nome utilizador, nome utente"""
        ),
        in_person_table=phrases("""login, logon, handle, user, usuario, utilisateur, kennung"""),
    ),
    Kind(
        "personal details",
        NOT_TEXT,
        tail=phrases(
            """resume, cv, curriculum vitae, lebenslauf, contact info, contact details,
            contact information, additional contact info, personal details, personal info,
            personal data"""
        ),
        head=phrases(
            """curriculum, datos personales, datos contacto, dados pessoais, donnees personnelles"""
        ),
        in_person_table=phrases("""demographics, biography, personal notes, details, bio"""),
    ),
)
