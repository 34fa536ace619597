"""Whole names that speak of sensitive data only in tables of one subject."""

from __future__ import annotations

from pipeline.profile.kinds import Phrase, phrases, words
from pipeline.profile.words_context import BANKS, CALLS, DEVICES, MOVES, PAYS, VEHICLES

IN_TABLES: tuple[tuple[str, frozenset[str], tuple[Phrase, ...]], ...] = (
    (
        "name of a person",
        words("profile profiles account accounts profil profils perfil perfiles perfis profilo"),
        phrases("display name, shown name, anzeigename, nom affiche, nombre mostrado, real name"),
    ),
    (
        "e-mail address",
        words("mail mails message messages email emails inbox outbox mailbox nachricht nachrichten")
        | words("mensaje mensajes mensagem mensagens courriel courriels correo correos"),
        phrases(
            """to, cc, bcc, recipient, recipients, to recipients, cc recipients, bcc
            recipients, to list, cc list, bcc list, to addresses, cc addresses, bcc addresses,
            to addr, from addr, cc addr, bcc addr, from address, to address, empfaenger,
            absender, destinataires, destinataire, expediteur, destinatario, destinatarios,
            remitente, remetente"""
        ),
    ),
    (
        "user name or login",
        words("profile profiles account accounts social socials perfil perfiles perfis"),
        phrases(
            """twitter, instagram, facebook, github, gitlab, linkedin, handle, username, nick,
            skype, telegram, discord, mastodon, bluesky, tiktok, reddit, twitch, xing, snapchat,
            wechat"""
        ),
    ),
    (
        "user name or login",
        words("audit audits auditlog log logs journal activity activities trail history changelog")
        | words("protokoll revision revisions access login logins logon session sessions"),
        phrases(
            """actor, actor name, user, usr, who, login, logon, account name, principal, performed
            by, done by, changed by, modified by, executed by, by user, initiated by, initiator,
            benutzer, nutzer, bearbeiter, utilisateur, usuario, utente, gebruiker, anvandare,
            uzytkownik"""
        ),
    ),
    (
        "network or device identifier",
        words(
            "phone phones handset handsets mobile mobiles smartphone smartphones wearable wearables"
        ),
        phrases("serial, serial number, serial no, serial nr, sn, serial num, seriennummer"),
    ),
    (
        "national or tax identity number",
        words("kyc verification verifications iddocument iddocuments idcard idcards"),
        phrases(
            """number, document number, document no, document nr, doc number, doc no, doc num,
            numero, numero documento, id number, id no"""
        ),
    ),
    (
        "position of a person",
        words("checkin checkins ping pings ride rides trip trips geotag geotags whereabouts"),
        phrases("location, position, point, geom, coords, coordinate, geog, loc, standort"),
    ),
    (
        "bank account",
        BANKS - words("bank"),
        phrases("swift, rib, nib, iban masked, rekening"),
    ),
    (
        "bank account",
        BANKS,
        phrases(
            """account number, account no, acc number, acc no, acc num, acct number, acct no,
            acct num, account num, account nbr, beneficiary account, payee account, routing,
            routing no, aba, transit no, titular, inhaber, proprio, titulaire, intestatario,
            owner, holder"""
        ),
    ),
    (
        "health data",
        words("prescription prescriptions rx rezept rezepte ordonnance ordonnances receta recetas")
        | words("receita receitas ricetta ricette dispensation dispensations recept recepten"),
        phrases(
            """drug, drug name, medicine, medicine name, medication name, medicament,
            medikament, wirkstoff, medicamento, nombre medicamento, nome medicamento, farmaco,
            nome farmaco, geneesmiddel, lakemedel"""
        ),
    ),
    (
        "pay of a person",
        PAYS,
        phrases(
            """rate, amount, pay, net, gross, gross amount, net amount, total gross, total net,
            net a payer, netto, brutto, neto, bruto, liquido, importe neto nomina,
            auszahlungsbetrag, netpay, grosspay"""
        ),
    ),
    (
        "street or postal address",
        words("address addresses adresse adressen anschrift direccion direcciones endereco")
        | words("enderecos indirizzo indirizzi adres adressen adresses adress"),
        phrases("line 1, line 2, line 3, line, street, zeile 1, zeile 2, ligne 1, linea 1, via"),
    ),
    (
        "national or tax identity number",
        VEHICLES,
        phrases(
            """placa, matricula, kennzeichen, targa, immatriculation, kenteken, plate, plaque,
            immat, amtl kennzeichen, registration, registration number, registration no,
            registreringsnummer,
            nr rejestracyjny, numero targa, numero placa, num matricula, reg no, reg number,
            numero matricula, plates, amtliches kennzeichen"""
        ),
    ),
    (
        "health data",
        words("clinical clinica clinicas medical medico medica medicas patient paciente pacientes")
        | words("encounter encounters consultation consultations consultas dossier krankenakte"),
        phrases(
            """treatment, tratamiento, tratamento, traitement, behandlung, behandlungsgrund,
            symptoms, antecedents, antecedentes, primary dx, dx, diagnosis, reason for visit,
            visit reason, complaint, findings, befund, anamnesis, anamnese, evolucion, evolucao,
            motif, history, weight, height, weight kg, height cm, weight lb, weight lbs, gewicht,
            groesse, poids, taille, peso, altura, estatura"""
        ),
    ),
    (
        "national or tax identity number",
        words(
            "documento documentos fisica ciudadano ciudadanos cidadao cidadaos identity identidad"
        ),
        phrases("rg, sus, nis, pis, numero, number, numero documento, document number"),
    ),
    (
        "picture or biometric trait",
        words("passport passports pass paesse passeport passeports pasaporte pasaportes passaporte")
        | words("visa visas ausweis ausweise idcard idcards badge badges licence licences license")
        | words("licenses carnet carnets biometric biometrics selfie selfies kyc"),
        phrases(
            """photo, portrait, picture, image, face, signature, fingerprint, lichtbild, foto,
            unterschrift, firma, assinatura, fotografia, photo url, picture url, image data,
            scan, front image, back image, front, back"""
        ),
    ),
    (
        "payment card",
        words("credit creditcard creditcards kreditkarte kreditkarten tarjeta tarjetas"),
        phrases(
            """number, exp month, exp year, expiry month, expiry year, expiration, expiry,
            expires, expiry date, expiration date, holder, numero, nummer, caducidad, gueltig
            bis, titular, codigo seguridad, codigo seguranca, code securite, sicherheitscode,
            pruefnummer, security code"""
        ),
    ),
    (
        "payment card",
        words("payment payments transaction transactions card cards pago pagos paiement paiements"),
        phrases("""pan, cc, cc exp, track, track 1, track 2, exp month, exp year, exp date, exp mo,
            exp yr, holder name, expiry month, expiry year, expiration month, expiration year,
            last 4, last four, cvv, cvc, security code, expiration date, expiry date,
            expiry, expiration, valid thru, valid until"""),
    ),
    (
        "network or device identifier",
        MOVES,
        phrases("src ip, source ip, ip, remote, remote host, user agent ip, origin ip"),
    ),
    (
        "password, key or other secret",
        words("secret secrets vault vaults credential credentials keystore passwords geheimnisse"),
        phrases("value, encrypted value, data, ciphertext, payload, content, secret data, key"),
    ),
    (
        "password, key or other secret",
        words("oauth oauth2 auth authentication sso login logins grant grants"),
        phrases("code, auth code, authorization code, grant code, state token"),
    ),
    (
        "password, key or other secret",
        words("session sessions sitzungen sesiones sessoes"),
        phrases("sid, token, cookie, sess id, sessid, session key, sess token"),
    ),
    (
        "network or device identifier",
        DEVICES,
        phrases("mac, mac adr, ether, hwid"),
    ),
    (
        "phone number",
        CALLS,
        phrases(
            """a number, b number, a party, b party, calling, called, caller, callee, from, to,
            src, dst, source, destination, number, sender, recipient, originator, anrufer,
            numero"""
        ),
    ),
)
"""What whole names speak of in tables that have one of these words in their names."""
