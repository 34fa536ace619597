"""Words for who somebody is, in a dozen languages; accents are taken off."""

from __future__ import annotations

from pipeline.profile.kinds import NOT_TEXT, NUMBERS, TIMES, Kind, phrases, words

IDENTITY = (
    Kind(
        "name of a person",
        NOT_TEXT,
        tail=phrases(
            """cc holder, first name, last name, first nm, last nm, ename, middle name, full
            name, given name, family name, maiden name, fname, lname, surname, forename,
            firstname, lastname, nick name, nickname, birth name, preferred name, legal name,
            middle initial, mothers name, mother name, father name, spouse name, christian
            name, second name, vorname, nachname, zuname, familienname, geburtsname, rufname,
            ansprechpartner, ansprechperson, voornaam, achternaam, tussenvoegsel, fornamn,
            efternamn, fornavn, etternavn, efternavn, mellemnavn, etunimi, sukunimi, imie,
            nazwisko, jmeno, prijmeni, priezvisko, keresztnev, vezeteknev, csaladnev, soyad,
            soyadi, soyisim, prenume, familiya, imya, otchestvo, eesnimi, perekonnanimi, имя,
            фамилия, отчество, фио, 姓名, 氏名, 名前, 姓, 이름, cardholder, card holder, account
            holder, acct holder, holder name, holder nm, contact person, emergency contact,
            next of kin, kin name, kontoinhaber, karteninhaber, ship to name, bill to name,
            bill to contact, sold to name, kin, maiden, vname, nname, vollname, zweitname,
            madchenname, maedchenname, kontaktperson, contactpersoon, kontaktpersonen,
            roepnaam, volledige naam, klantnaam, kundnamn, nazwisko panienskie, imie nazwisko,
            imie i nazwisko, nominativo, first nam, last nam, fst name, lst name, frst name, f
            name, l name, m name, firstnm, lastnm, mname, midname, middle nm, sur name, fore
            name, name first, name last, name middle, first initial, given names, family
            names, forenames, surnames, signatory, addressee, undersigned, surname at birth,
            name at birth, attention to, attn, attn name, attn to, care of, cosignatory,
            nominee, invitee, beneficiary name, fullname, full nm, namn fullstandigt,
            tilltalsnamn, doktorname, nazwisko rodowe, drugie imie, nazwiska, imiona,
            kundenname, patientenname, ansprechpartnerin, emergency contact name, next of kin
            name, versicherungsnehmer, versicherungsnehmerin, rechnungsempfaenger,
            rechnungsempfanger, erziehungsberechtigter, erziehungsberechtigte, nachn, vorna,
            notfallkontakt, nicename, shipping name, billing name, delivery name, liefername,
            cc owner, card owner, owner name, complete name, comment author, post author,
            review author, note author, message author, salesperson, assignee, physician,
            reviewer, approver, requester, borrower, sachbearbeiter, bearbeiter,
            sachbearbeiterin, kontoinhaberin, halter, besteller, parents names, emergency
            name, versicherte person, beguenstigter, begunstigter, last user, name on card,
            name on account, plaintiff, defendant, claimant, complainant, testator, mortgagor,
            hausarzt, klaeger, klager, beklagter, eigentuemer, eigentumer, mieter, vermieter,
            provider name, prov name, attending physician, referring physician, family doctor,
            huisarts, lekarz
            prowadzacy, originator name, gp name, pcp name, middle names, name of insured, kin
            full name, namev, nach 2, midnm, koinh, patient nm, emergency contact person, name
            of applicant, name of patient, name of employee, name of customer, name of
            student, name of child, cust nm, emp nm, pat nm, student nm, signed by, witnessed
            by, assigned to name, co signer name, signer, cosigner, co signer, co applicant,
            co borrower, received by name, approved by name, created by name, signed by name,
            entered by name, updated by name, signee, unterzeichner, unterschrieben von,
            firmado por, signe par, assinado por, firmato da, real name, initials, true name,
            actual name, printed name, name printed, name in full, civil name, registered name
            person, dbtr nm, cdtr nm, geb name, fam name, gebname, famname, kto inhaber, kto
            inh, treating doctor, treating physician, vorn, baptism name, baptismal name,
            behandelnder arzt, behandelnde aerztin, behandelnde arztin, doctor, dbtr name,
            cdtr name, debtor name, creditor name, acc holder name, acc holder, ultimate
            debtor name, contact nm, vor und nachname"""
        ),
        head=phrases(
            """prenom, nom famille, nom de famille, nom usage, nom jeune fille, nom complet, nom
            naissance, nombre completo, nombre pila, apellido, apellidos, primer nombre, segundo
            nombre, primer apellido, segundo apellido, nome completo, primeiro nome, ultimo
            nome, sobrenome, apelido, cognome, persona contacto, prenoms, nom patronymique, nom
            marital, nom de naissance, nom d usage, nom prenom, nom et prenom, surnom, personne
            contact, personne a contacter, medecin traitant, nombre de pila, apellido paterno,
            apellido materno, apodo, nombres apellidos, nombre y apellidos, nombre apellidos,
            nombre mostrado, nome do meio, nome social, nome mae, nome pai, nome da mae, nome do
            pai, sobre nome, apellidos nombre, persona de contacto, pessoa contato, pessoa de
            contato, titular cuenta, titular conta, titulaire compte, titulaire carte, titular
            tarjeta, titular cartao, intestatario, nome cognome, nome e cognome, nome de
            familia, nome familia, nom affiche, nome mostrado, nome exibicao, contact nom,
            contacto nombre, nome abreviado, nom livraison, nom facturation, nombre envio,
            nombre entrega, nombre facturacion, nome entrega, nome cobranca, asegurado,
            asegurada, segurado, nom pere, nom mere, personne a prevenir, personne prevenir,
            contacto emergencia, contato emergencia, contact urgence, ape paterno, nom caution,
            caution nom, ape 1, ape 2, ape1, ape2, ape materno, primer ape, segundo ape, nom sur
            carte, nombre en tarjeta, nome no cartao, nome impresso, imie nazwisko, nazwisko,
            imie, titolare, nom titulaire, medico tratante, medico asistente, medico
            responsavel, medico curante, nombre padre, nombre madre, nombre tutor, nom tuteur,
            nom conjoint, nome conjuge, nombre conyuge, medecin referent, medecin prescripteur,
            medico referente, medico de cabecera, medico familia, nom du titulaire"""
        ),
        in_person_table=phrases(
            """name, names, first, last, middle, display name, initials, alias, nom, nombre,
            nombres, nome, nomes, naam, namn, navn, nimi, nev, ad, ad soyad, isim, nazwa, name1,
            name2, label, known as, name 1, name 2, nm, noms, pseudonym, titulaire, titular,
            responsable, responsavel, responsible, tuteur, tutor, anrede name, titel vorname,
            titel name, fn, ln, vn, nn, cname, ename, lname 1, sname, gname, roepnaam, naam
            volledig, prezviska, notfallkontakt, inhaber, kontakt notfall, complete name,
            proprio, doctor, nurse, tutor legal, alternate name, alternative name, other name,
            other names, former name, formername, previous name, supplied name, formal name,
            informal name, known name, call name, short name, long name, alternatename, aka,
            also known as, ruf name, autre nom, otro nombre, outro nome, screen nm, personal
            name, name full, name prefix, sn, name voll, name komplett, name vollstaendig,
            contact, name local, name latin, name kana, name en, name ar, arabic name, english
            name, latin name, native name"""
        ),
    ),
    Kind(
        "date or place of birth",
        frozenset({"binary", "boolean"}),
        tail=phrases(
            """birth date, birthdate, date of birth, dob, birthday, birth day, birth dt, born on,
            birth year, year of birth, birth place, birthplace, place of birth, place birth,
            born at, birth time, born, bday, geburtsdatum, geburtstag, geburtsjahr,
            geburtsort, geb datum, gebdat, gebdatum, geboortedatum, geboorteplaats,
            fodselsdato, fodelsedatum, fodselsdag, syntymaaika, data urodzenia, miejsce
            urodzenia, datum narozeni, dogum tarihi, дата рождения, 生年月日, 出生日期, birth city,
            birth country, city of birth, country of birth, birth month, month of birth,
            birthdt, dateofbirth, geb dat, gebort, geb ort, geb tag, geb jahr, gebtag,
            geburtsland, geburtsstadt, geburtsdat, geboortedat, geboorteland, geboortejaar,
            fodelsear, fodelseort, fodested, rok urodzenia, data ur, dob dt, dob date, date
            birth, dt of birth, d o b, birth certificate no, birth certificate number,
            szuletesi datum, birth dte, brth dt, brth date, bdate, birth datetime, born date,
            born year, geboren, geboren am, geb am, gbdat, gbort, gbdt, birth yr, yr of birth,
            birth mth, yob, date born, dte of birth, date of birth text, birth date time,
            foedselsdato, gebjahr, birth state, birth province, town of birth, birth town,
            birth location"""
        ),
        head=phrases(
            """date nais, dt nais, dtnais, date de nais, date naissance, date de naissance, lieu
            naissance, lieu de naissance, fecha nacimiento, fecha de nacimiento, lugar
            nacimiento, fec nac, fecha nac, data nascimento, data de nascimento, dt nascimento,
            dt nasc, data nasc, nascimento, nacimiento, naissance, data nascita, data di
            nascita, luogo nascita, data nasterii, dat naiss, date naiss, dt naiss, dt
            naissance, lieu naiss, annee naissance, annee de naissance, ville naissance, ville
            de naissance, pays naissance, commune naissance, departement naissance, ne le, f
            nacimiento, f nac, fnac, fecnac, fechanac, fecha nacim, fec nacimiento, anio
            nacimiento, ano nacimiento, ano de nacimiento, pais nacimiento, ciudad nacimiento,
            provincia nacimiento, local nascimento, local de nascimento, ano nascimento, dtnasc,
            cidade nascimento, naturalidade, dta nascimento, lugar de nacimiento, comune
            nascita, provincia nascita, anno nascita, citta nascita, luogo di nascita, dt
            nascita, datanascita, nasc, nascto, naiss, nacim, fec nacto"""
        ),
        in_person_table=phrases(
            """ddn, geboren, nato il, gbdat, birth, geb, nasc, naiss, nac, nascita, gebd"""
        ),
    ),
    Kind(
        "national or tax identity number",
        TIMES | {"binary", "boolean"},
        tail=phrases(
            """ssn, social security, social security number, social security no, social insurance,
            sin number, nino, national id, national identity, national identifier, national
            insurance, national number, nationality number, passport, passport number, identity
            card, id card, id document, identity number, identity document, citizen id, driver
            license, drivers license, driver licence, drivers licence, driving license, driving
            licence, dl number, voter id, tax id, tax identification, tax number, taxpayer id,
            taxpayer number, itin, aadhaar, aadhar, pesel, bsn, personnummer, personnr, cpr
            number, fodselsnummer, henkilotunnus, hetu, nric, mykad, hkid, tckn, tc kimlik, tc
            kimlik no, kimlik no, steuer id, steuernummer, steuernr,
            steueridentifikationsnummer, sozialversicherung, sozialversicherungsnummer, svnr, sv
            nummer, sv nr, ahv nummer, ahv nr, ahv, ausweisnummer, ausweisnr, ausweis,
            personalausweis, personalausweisnummer, reisepass, passnummer, reisepassnummer,
            fuehrerschein, fuhrerschein, fuhrerscheinnummer, rijbewijs, paspoort, rodne cislo,
            паспорт, инн, снилс, 身份证, マイナンバー, license plate, licence plate, plate number,
            military id, residence permit, green card number, student id number, nhs number,
            medicare number, medicare id, medicaid id, medicare no, medicaid no, gov id,
            government id, govt id, state id number, ssn last 4, last 4 ssn, ssn 4, plate no,
            plate num, number plate, registration plate, driver id number, driving licence no,
            drivers license number, driver license number, drivers licence number, passport num,
            passport nbr, passport id, ss number, ssno, soc sec no, soc sec num, social sec no,
            natl id, nat id, national insurance number, id card number, id card no, national id
            number, alien number, alien registration number, voter number, steueridnr, steuer
            idnr, steuer identnr, steuerid, rentenversicherungsnummer, rentenversicherungsnr,
            rvnr, sozialversicherungsnr, krankenversichertennummer, krankenversichertennr, kvnr,
            versichertennr, passnr, pass nr, reisepassnr, personalausweisnr, fuehrerscheinnr,
            fuhrerscheinnr, fuehrerschein nr, kfz kennzeichen, autokennzeichen, nummernschild,
            aufenthaltstitel, burgerservicenummer, sofinummer, paspoortnummer, paspoortnr,
            rijbewijsnummer, identiteitskaart, id kaart nummer, rijksregisternummer,
            nummerplaat, samordningsnummer, korkort, korkortsnummer, foedselsnummer, fodselsnr,
            cpr nummer, cprnr, cpr nr, nr dowodu, numer dowodu, dowod osobisty, nr paszportu,
            numer paszportu, paszport, prawo jazdy, numer pesel, nr pesel, nr rejestracyjny
            pojazdu, tax file number, tfn, sin no, pan card, aadhaar number, aadhar no, aadhaar
            no, ni number, ni no, nhs no, personal id number, personal identity number, personal
            number, national registration number, national reg number, taxvat, ssnid, sinid,
            ssnr, natregnr, national insurance nr, nis pis pasep, state id card, visa number,
            visa no, visa num, pan no, kyc document number, kyc document no, kyc id, id proof
            number, id proof no, proof of identity, identity proof, tax id number, tax
            identification number, tax payer number, tax payer id, foreign tax id, social
            security nr, social security num, soc sec, ssn hash, ssn encrypted, ss no, national
            id card, nid number, nid no, nicop, cnic, emirates id, iqama, iqama number, sin num,
            ird number, ppsn, pps no, pps number, personalausweis nr, idnr, id nr, bsn nummer,
            bsn nr, burger service nummer, sociaal verzekeringsnummer, rijksregisternr, person
            nr, person nummer, perid, stcd 1, member ssn, dea number, npi number, driver lic no,
            drivers lic, dl no, license plate number, license plate no, plate nbr, vehicle
            plate, car plate, vehicle reg no, health card number, health card no, ohip number,
            ehic number, avs number, numero avs, avs, uid number person, birth certificate, kv
            nummer, kv nr, kvnummer, health number, insurance number state, voter registration
            number, voter registration no, voter reg no, voter reg num, social insurance no,
            insurance no person, driver id no, work permit no, work permit number, permit id
            residence, known traveler number, known traveller number, redress number, ktn,
            global entry number, prisoner number, inmate number, fbi number, frequent flyer
            number, id doc number, identity doc number, bar number, bar registration number,
            oab, freq flyer number, convict number, case id person, vehicle registration no,
            vehicle registration number, vehicle registration, vehicle reg, registration plate
            no, registration plate number, tax payer no, tax reference number, tax reference no,
            tax ref no, tax ref, utr number, utr no, unique taxpayer reference, tax account
            number, payroll tax number, ssn number, social number"""
        ),
        head=phrases(
            """numero afiliado, nro afiliado, num afiliado, nir, numero fiscal, num fiscal, numero
            mutuelle, mutuelle numero, num ss, numss, matricula coche, matricula vehiculo,
            matricula auto, matricula carro, oab advogado, num colegiado, numero colegiado, cpf,
            dni, curp, cuil, niss, passeport, pasaporte, passaporte, passaporto, cedula
            identidad, documento identidad, documento identidade, carteira identidade, numero
            rg, cnh, numero securite sociale, numero de securite sociale, securite sociale, num
            secu, seguridad social, numero seguridad social, seguro social, carte identite,
            numero identite, permis conduire, permis de conduire, licencia conducir, carnet
            conducir, carteira motorista, codice fiscale, patente guida, carta identita, titulo
            eleitor, nss, nif, cpf cliente, numero passeport, num passeport, numero cni, cni,
            num permis, numero permis, numero fiscal, numero fiscal reference, numero assure,
            numero assure social, num securite sociale, num ss, carte vitale, numero carte
            vitale, carte d identite, numero carte identite, carte nationale identite, titre
            sejour, numero etranger, plaque immatriculation, plaque d immatriculation, numero
            immatriculation, numero documento, num documento, nro documento, documento nacional,
            numero dni, num dni, numero nif, cedula ciudadania, cedula de identidad, num
            pasaporte, numero pasaporte, numero de pasaporte, num seguridad social, num
            afiliacion, numero afiliacion, naf seguridad social, licencia de conducir, licencia
            conduccion, permiso conducir, carnet de conducir, carne conducir, tarjeta sanitaria,
            numero tarjeta sanitaria, num tarjeta sanitaria, tarjeta residencia, clave elector,
            numero cpf, num cpf, nr cpf, cpf numero, numero passaporte, num passaporte, titulo
            de eleitor, numero titulo eleitor, pis pasep, pis, pasep, ctps, rg numero, nr rg,
            carteira de identidade, carteira de motorista, carteira de trabalho, carteira
            trabalho, cartao cidadao, cartao de cidadao, numero utente, cartao sus, cartao
            nacional saude, bilhete identidade, numero identificacao fiscal, numero
            contribuinte, numero seguranca social, registro geral, numero carta identita, numero
            passaporto, numero patente, patente di guida, tessera sanitaria, codice sanitario,
            documento identita, cod fiscale, codfisc, placa vehiculo, placa veiculo, matricula
            vehiculo, targa veicolo, cifnif, nifcif, dnicif, nif cif, cif nif, dni cif, cpf
            cnpj, cart trabalho, carteira profissional, tit eleitor, carteirinha, prontuario
            saude, piece identite, piece d identite, num piece identite, certidao nascimento,
            certidao de nascimento, acta nacimiento, acte naissance, nr cns, numero cns, num
            securite, secu, num assure, nro assure, numero carta identidad, numero identidad,
            numero identidade, numero de identidad, numero de identidade, numero de dni, numero
            nie, num nie, numero cedula, nro cedula, cedula, numero rfc, numero curp, tarjeta
            identidad, numero seg social, num seg social, nro seguro social, numero nss, n
            securite sociale, no secu, n secu, numero nir, numero titre sejour, numero carte
            sejour, carte sejour, numero fiscale, cod fisc, partita iva personale, numero
            tessera sanitaria, numero pesel, numero sus, numero nis, numero pis, inscricao inss,
            numero inss, titulo eleitoral, numero titulo, certidao, pesel"""
        ),
        in_person_table=phrases(
            """license number, licence number, license no, licence no, id number, id no,
            identification, document number, legal id, run, rut, nie, nir, cedula, rfc, nin,
            cpr, tin, cuit, cnp, rg, nis, cns, documento, numero identificacion, identificacion,
            num identificacion, patente, permis, permit number, visa number, identidade, ni,
            nip, dowod, matricula vehiculo, document no, document id number, id document number,
            sin, pps number, ppsn, ucn, oib, jmbg, egn, amka, afm, edrpou, ein ssn, nric, sv
            nummer, numero de identificacion, ident nr, ausweis nr, passport, bi, identification
            id, identification number, sus, rg number, id type number, ine, insee, idnumber, pan
            number, pan, pan no, nid, national no, natl no, civil id, personal no, personal
            code, personal id, isikukood, dui, cui, ic number, ic no, nric no, fin, license,
            licence, tax no, taxid, tax code, tax reference, utr, fiscal code, nino, national
            code, avs, civil registration number, nro documento, cod fiscale, ssn last four, id
            card, idcard, carnet, ss, npi, dea, kv nummer, kvnummer, identifier, social, ss
            number"""
        ),
        tail_words=words("copy id image scan"),
    ),
    Kind(
        "picture or biometric trait",
        NUMBERS | TIMES | {"boolean"},
        tail=phrases(
            """finger print, fingerprint template, fingerprint scan, fingerprint image, finger
            print data, face template, face encoding, face embedding, facial template, face id
            data, faceprint, face vector, iris scan, iris template, iris code, retina scan,
            voice print, voiceprint, voice sample, palm print, biometric, biometrics, biometric
            template, biometric data, selfie, profile photo, profile picture, profile image,
            passport photo, id photo, user photo, mugshot, handwritten signature, fingerabdruck,
            passfoto, passbild, profilbild, unterschrift, gesichtsbild, vingerafdruk, odcisk
            palca, signature image, signature img, signature scan, signature data, signature
            blob, signature png, user signature, recipient signature, customer signature, client
            signature, patient signature, e signature image, retina, iris, face image, face
            photo, facial image, face print, fingerprints, thumbprint, thumb print, avatar
            image, profile pic, profile img, passport scan image, employee photo, lichtbild,
            unterschriftsbild, handtekening, fotografia osoby, podpis, face descriptor, face
            features, face id, facial features, face signature, facial recognition data,
            fingerprint data, fingerprint hash, finger template, thumb impression, palm vein,
            vein pattern, gait pattern, voice recording, voice template, voice embedding,
            biometric hash, biometric id, dna profile, dna sample, dna sequence, retina image,
            iris image, iris data, headshot, head shot, portrait photo, mug shot, passport
            image, photo id image, signature file, irisscan, gesichtsscan, gezichtsherkenning,
            netvliesscan, pasfoto, fingeravtryck, personfoto, zdjecie twarzy, gesichtsmerkmale,
            fingerabdruck hash, irisbild, stimmprobe, face id template, faceid template, touch
            id data, hand geometry, biometric key, biometric signature, biometric token,
            biometrics data, biometric scan, finger image, finger scan, facial scan, face scan,
            eye scan, selfie image, selfie photo, selfie url, selfie path, id scan, id card
            scan, id document scan, identity document scan, passport scan, licence scan, license
            scan, drivers license scan, driver licence scan, photo id scan, scanned id, scanned
            passport, passport copy, id copy, id card copy, ausweiskopie, ausweisscan, ausweis
            scan, ausweis kopie, visa scan, fingerprint card, live photo, liveness video,
            liveness image, id front image, id back image, id card front, id card back, id card
            image, id card photo, passport photo url, passport front, badge photo, id badge
            photo, badge picture, badge image, face id image, scars marks tattoos, tattoos,
            tattoo, headshot url, visa photo, licence photo, license photo, yearbook photo"""
        ),
        head=phrases(
            """empreinte digitale, photo identite, photo profil, huella dactilar, huella digital,
            impressao digital, impronta digitale, firma digitalizada, photo employe, copie carte
            identite, copie passeport, scan passeport, copia dni, copia pasaporte, copia
            documento identidad, copia identidade, foto perfil, foto carnet, foto documento,
            foto usuario, fotografia carnet, photo passeport, firma cliente, firma paciente,
            assinatura cliente, signature client, reconocimiento facial, foto profilo,
            biometria, biometrie, empreintes digitales, huellas dactilares, huellas digitales,
            huella, impressoes digitais, impressao, impronte digitali, reconnaissance faciale,
            photo visage, empreinte vocale, huella vocal, foto rostro, foto cara, foto rosto,
            foto volto, fotografia, photo d identite, photo client, scan iris, escaneo iris"""
        ),
        in_person_table=phrases(
            """photo, picture, avatar, portrait, image, signature, photo path, photo url, picture
            url, avatar url, image url, fingerprint, face, foto, bild, lichtbild, headshot,
            firma, assinatura, fotografia, fotografie, foto url, foto path, imagem, imagen,
            retrato, thumbnail photo, large photo, unterschrift, handtekening, podpis, zdjecie,
            empreinte, impronta, signature path, signature url"""
        ),
    ),
    Kind(
        "user name or login",
        NOT_TEXT,
        tail=phrases(
            """user name, username, login name, login id, user login, logon name, logon id, screen
            name, screenname, loginname, account login, sam account name, samaccountname, upn,
            user principal name, user handle, twitter handle, instagram handle, skype, skype
            id, skype name, benutzername, benutzerkennung, anmeldename, nutzername,
            gebruikersnaam, anvandarnamn, brukernavn, brugernavn, kayttajatunnus, kayttajanimi,
            kullanici adi, nazwa uzytkownika, логин, ユーザー名, 用户名, loginname, login nm, userid
            login, usr name, usrname, user nm, account username, logonname, userlogin,
            gamertag, discord handle, github username, github handle, github login, facebook
            id, twitter username, telegram handle, slack handle, uzytkownik login, gamer tag,
            steam id, steamid, steam name, xbox gamertag, psn id, psn name, discord id, discord
            name, discord username, discord tag, battletag, battle tag, riot id, epic games id,
            twitch name, twitch handle, twitch username, tiktok handle, tiktok username,
            instagram username, instagram id, twitter id, social handle, social media handle,
            social profile url, linkedin profile, linkedin profile url, facebook profile,
            facebook profile url, snapchat handle, telegram username, mastodon handle, bluesky
            handle, reddit username, github user, gitlab username, slack username, slack user
            id, wechat id, weixin, line id account, qq number, icq, icq number, jabber, jabber
            id, xmpp, yahoo id, aim screenname, msn id, user logon, windows login, windows
            account, ad login, ad account, ad username, domain login, network login, sso id,
            login user, user login name, sign in name, signin name, account nickname, user
            alias, user nickname, nutzer name, nutzerkennung, benutzer name, benutzerlogin,
            login naam, inlognaam, inloggningsnamn, nazwa konta, korisnicko ime, uzivatelske
            jmeno, username canonical, user nicename, spielername, spitzname, s am account
            name, am account name, ldap uid, ldap login, ldap name, unix user, unix name, linux
            user, nt login, network username, os user"""
        ),
        head=phrases(
            """nom utilisateur, nom d utilisateur, identifiant connexion, nombre usuario, nombre de
            usuario, nome usuario, nome de usuario, nome utilizador, nome utente, identifiant
            utilisateur, login usuario, usuario login, nome do usuario, nom d usager, nom
            usager, nom de connexion, nombre de cuenta usuario, apodo usuario, nick usuario,
            nome de utilizador, nome de login, pseudonyme, login utilisateur, nome account
            utente"""
        ),
        in_person_table=phrases(
            """forum name, forum nick, chat name, chat nick, board nick, login, handle, user,
            usuario, utilisateur, kennung, logon, nick, uid, uname, identifiant, pseudo, apelido
            usuario, nutzer, benutzer, alias login, netid, usr, facebook, twitter, instagram,
            linkedin, tiktok, snapchat, github, gitlab, telegram, discord, twitch, mastodon,
            linkedin url, facebook url, twitter url, instagram url, github url, facebook link,
            linkedin link, aim, yahoo, msn, wechat, qq, login user, identifier login, account
            name, account id name, external login, user account, domain user"""
        ),
    ),
    Kind(
        "personal details",
        NOT_TEXT,
        tail=phrases(
            """resume, cv, curriculum vitae, lebenslauf, contact info, contact details, contact
            information, additional contact info, personal details, personal info, personal
            data, personal notes, personal statement, cover letter, lebenslaufdatei"""
        ),
        head=phrases(
            """curriculum, datos personales, datos contacto, dados pessoais, donnees
            personnelles, curriculo, curriculum vitae, lettre motivation"""
        ),
        in_person_table=phrases("demographics, biography, personal notes, details, bio"),
    ),
)
