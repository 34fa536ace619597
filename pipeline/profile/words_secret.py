"""Words for money, secrets, places and what the law calls special, in a dozen languages."""

from __future__ import annotations

from pipeline.profile.kinds import TIMES, Kind, phrases, words

SECRETS = (
    Kind(
        "bank account",
        TIMES | {"binary", "boolean", "float"},
        tail=phrases(
            """iban, bank account, bank account number, bank acct, bank acc, acct number bank,
            routing number, routing no, sort code, bsb, bsb number, aba number, swift iban,
            bank details, bank number, giro account, iban last 4, kontonummer, kontonr,
            konto nr, bankverbindung, bankkonto, bankkontonummer, rekeningnummer, bankrekening,
            bankkontonr, clearing number, nr konta, numer konta, rachunek bankowy, hesap no,
            счет, расчетный счет, 银行账号, 口座番号"""
        ),
        head=phrases(
            """cuenta bancaria, numero cuenta, numero de cuenta, cuenta corriente, clabe,
            conta bancaria, conta corrente, numero conta, numero da conta, numero compte,
            numero de compte, compte bancaire, rib, conto corrente, numero conto,
            coordonnees bancaires, chave pix"""
        ),
    ),
    Kind(
        "payment card",
        TIMES | {"binary", "boolean", "float"},
        tail=phrases(
            """card number, card no, card num, card nbr, card pan, cardnumber, credit card,
            creditcard, debit card, cc number, cc num, cc no, ccnum, ccn, cvv, cvc, cvv 2,
            cvc 2, csc code, card security code, card verification, card cvv, card cvc,
            cc last 4, card last 4, last 4, last four, card last four, card expiry,
            card expiration, cc expiry, cc exp, card exp, primary account number, card track,
            card token, kreditkarte, kreditkartennummer, kartennummer, kartennr, kreditkartennr,
            pruefziffer karte, kortnummer, kredi karti, creditcardnummer"""
        ),
        head=phrases(
            """numero carte, numero de carte, carte bancaire, carte credit, carte de credit,
            numero tarjeta, tarjeta credito, tarjeta de credito, numero de tarjeta,
            cartao credito, cartao de credito, numero cartao, numero do cartao,
            carta di credito, carta credito, numero carta"""
        ),
    ),
    Kind(
        "password, key or other secret",
        TIMES | {"boolean", "decimal", "float"},
        tail=phrases(
            """password, passwd, passphrase, pwd, pass word, passcode, pin, pin code, user pin,
            card pin, secret, secret key, client secret, shared secret, app secret,
            webhook secret, api key, apikey, api secret, api token, private key, ssh key,
            access key, access key id, secret access key, encryption key, signing key,
            master key, access token, refresh token, auth token, session token, bearer token,
            id token, reset token, remember token, verification token, invite token,
            device token, push token, csrf token, oauth token, token, jwt, otp, otp code,
            otp secret, totp, totp seed, totp secret, mfa secret, mfa code, two factor secret,
            two factor code, recovery code, backup code, security answer, secret answer,
            security code, auth code, credential, seed phrase, mnemonic, salt, password salt,
            pw hash, cookie value, session cookie, security stamp, connection string,
            hash password, pass hash,
            key pem, magic link, passwort, kennwort, losungswort, geheimnis, zugangsdaten,
            sicherheitsantwort, wachtwoord, losenord, adgangskode, passord, salasana, haslo,
            heslo, jelszo, sifre, parola, пароль, パスワード, 密码"""
        ),
        head=phrases(
            """mot de passe, mot passe, mdp, motdepasse, contrasena, contrasenia, clave acceso,
            clave secreta, senha, palavra passe, parola, parola accesso, clave privada,
            cle privee, cle api, cle secrete, reponse secrete, jeton acces"""
        ),
        in_person_table=phrases("""pw, pass, key, auth key, clave, hash"""),
        tail_words=words("current digest new old pem previous salt"),
    ),
    Kind(
        "network or device identifier",
        TIMES | {"boolean", "decimal", "float"},
        tail=phrases(
            """ip, ip address, ip addr, ipaddress, ipaddr, remote ip, client ip, remote addr,
            remote address, ipv 4, ipv 6, inet addr, mac address, mac addr, imei, imei number,
            imsi, iccid, meid, udid, idfa, gaid, advertising id, ad id mobile,
            device identifier, device fingerprint, browser fingerprint, cookie id,
            device serial, host ip, ip adresse, ip adres, android id, bluetooth address,
            sim number, device id"""
        ),
        head=phrases("""adresse ip, direccion ip, endereco ip, indirizzo ip"""),
    ),
    Kind(
        "position of a person",
        TIMES | {"binary", "boolean", "integer"},
        tail=phrases(
            """latitude, longitude, lat, lon, lng, long lat, lat long, lat lng, lat lon, gps,
            gps lat, gps lon, gps lng, gps position, gps coordinates, coordinates, geo location,
            geolocation, geo point, geo lat, geo lon, geo lng, gps location, last location,
            breitengrad, laengengrad, langengrad, home location, geom point"""
        ),
        head=phrases(
            """latitud, longitud, latitudine, longitudine, coordenadas, coordonnees gps,
            posicion gps"""
        ),
    ),
    Kind(
        "health data",
        TIMES | {"boolean", "decimal", "float"},
        tail=phrases(
            """icd, icd code, icd 10, icd 9, diagnosis, diagnoses, diagnosis code, diagnosis text,
            medication, medications, prescription, allergy, allergies, blood type, blood group,
            disability, hiv status, disease, symptoms, symptom, illness, medical history,
            medical condition, medical record number, medical record no, mrn, health status,
            health condition, health insurance number, insurance number,
            insurance policy number, patient number, vaccination status, pregnancy status,
            mental health, chief complaint, treatment notes, lab result, genetic data, genotype,
            dna sequence, handicap, diagnose, krankheit, krankenkasse, krankenversicherung,
            krankenversicherungsnummer, versichertennummer, blutgruppe, behinderung, allergie,
            allergien, medikament, medikamente, befund, bloedgroep, ziekte, diagnos, sjukdom,
            diagnoza, choroba, диагноз, группа крови, 病历"""
        ),
        head=phrases(
            """diagnostic medical, diagnostico, diagnostico medico, groupe sanguin,
            grupo sanguineo, tipo sangre, tipo sanguineo, maladie, enfermedad, doenca,
            discapacidad, deficiencia, handicap, alergia, alergias, antecedents medicaux,
            historial medico, medicamento, gruppo sanguigno, malattia, diagnosi,
            assurance maladie"""
        ),
        tail_words=words("10 9 code desc description notes"),
    ),
    Kind(
        "special category of personal data",
        TIMES | {"decimal", "float"},
        tail=phrases(
            """ethnicity, ethnic group, ethnic origin, ethnic background, race ethnicity,
            racial origin, religion, religious belief, religious affiliation, faith,
            political party, political opinion, political affiliation, political view,
            party affiliation, party membership, sexual orientation, sexuality,
            sexual preference, sex life, gender identity, trade union, union member,
            union membership, trade union membership, criminal record, criminal history,
            conviction, convictions, caste, immigration status, philosophical belief,
            veteran status, religion, konfession, religionszugehorigkeit,
            religionszugehoerigkeit, ethnie, herkunft ethnisch, gewerkschaft,
            gewerkschaftszugehorigkeit, sexuelle orientierung, vorstrafen, parteizugehorigkeit,
            geloofsovertuiging, etniciteit, religia, вероисповедание, национальность"""
        ),
        head=phrases(
            """origine ethnique, orientation sexuelle, opinion politique, appartenance syndicale,
            casier judiciaire, origen etnico, orientacion sexual, opinion politica,
            afiliacion sindical, afiliacion politica, antecedentes penales, etnia, raca,
            religiao, orientacao sexual, filiacao partidaria, religione, orientamento sessuale,
            cor raca"""
        ),
        in_person_table=phrases("""race, raza, croyance"""),
    ),
    Kind(
        "pay of a person",
        TIMES | {"binary", "boolean"},
        tail=phrases(
            """salary, base salary, annual salary, monthly salary, wage, wages, hourly wage,
            hourly rate, pay rate, base pay, net pay, gross pay, take home pay, compensation,
            annual income, household income, monthly income, net worth, credit score, gehalt,
            grundgehalt, jahresgehalt, monatsgehalt, lohn, stundenlohn, bruttolohn, nettolohn,
            bruttogehalt, nettogehalt, salaris, loon, brutoloon, lon, loon, palkka,
            wynagrodzenie, pensja, plat, mzda, fizetes, maas, зарплата, оклад, 給与, 工资"""
        ),
        head=phrases(
            """salaire, salaire brut, salaire net, remuneration, salario, sueldo, salario bruto,
            salario base, remuneracion, remuneracao, vencimento, ordenado, stipendio,
            retribuzione, salariu, nomina"""
        ),
        in_person_table=phrases(
            """income, pay, rate, bonus, commission, einkommen, ingresos, renda"""
        ),
        tail_words=words("amount amt annual cents eur gbp gross monthly net usd yearly"),
    ),
)
