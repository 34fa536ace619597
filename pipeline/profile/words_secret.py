"""Words for money and secrets, in a dozen languages."""

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
            konto nr, bankverbindung, kontoverbindung, kontodaten, bankverbindungen,
            bankkonto, bankkontonummer, rekeningnummer, bankrekening, bankkontonr, clearing
            number, nr konta, numer konta, rachunek bankowy, hesap no, счет, расчетный счет,
            银行账号, 口座番号, ktonr, kto nr, ktonummer, bank kto, iban nr, iban no, ibannr, iban
            number, direct deposit account, deposit account number, bank acct number, bank
            acct no, bank account no, bankacct, ach account, ach routing, nr rachunku, numer
            rachunku, rachunek, konto bankowe, bankrekeningnummer, bankgiro, plusgiro,
            bankkonto nr, cislo uctu, bankn, aba routing, aba routing number, routing
            transit number, transit number, aba, ach number, ach account number, checking
            account, savings account, checking account number, payout account, settlement
            account, debit account number, credit account number, payer account, debtor
            iban, creditor iban, debtor account, creditor account, remitter account, sender
            account, receiver account, beneficiary account number, account iban, iban code,
            iban masked, iban hash, bank acc no, bank acc number, bank ac no, direct debit
            account, sepa mandate, sepa mandate id, mandate reference, mandatsreferenz,
            mandats referenz, bankdaten, bank kontonummer, empfaenger iban, banknummer
            konto, bank rekening, rekeningnr, rekening nummer, bankgironummer,
            plusgironummer, kontonummer bank, nr rach, nr rach bankowego, numer rachunku
            bankowego, upi id, paypal account, pix key, crypto wallet address, wallet
            address, btc address, eth address, refund account, refund iban, payout iban,
            payment account, pay account, payroll account, salary account, wire account,
            remittance account, disbursement account, dbtr acct, cdtr acct, dbtr account,
            cdtr account, acc iban, rekening begunstigde, tegenrekening, mottagarkonto,
            gegenkonto, empfaengerkonto, rachunek odbiorcy, konto odbiorcy, sepa mandate no,
            mandate id, mandate no, mandate ref, beneficiary account no, payee account
            number, payee account no, payer account number, payer account no, sender account
            number, sender account no, receiver account number, receiver account no,
            recipient account number, recipient account no, recipient account, customer
            account iban, creditor account number, debtor account number, remitter account
            no, repayment account, collection account, funding account, nominated account,
            linked account number, withdrawal account, bic, bic code, swift code, swift bic,
            bic swift, swift number, bic nr, swift address"""
        ),
        head=phrases(
            """banco conta, banco agencia, conta banco, code bic, code swift, codigo swift, codigo
            bic, codice swift, codice bic, cuenta bancaria, numero cuenta, numero de cuenta,
            cuenta corriente, clabe, conta bancaria, conta corrente, numero conta, numero da
            conta, numero compte, numero de compte, compte bancaire, conto corrente, numero
            conto, coordonnees bancaires, chave pix, rib iban, code rib, numero rib, cuenta
            numero, num cuenta, nro cuenta, numero cuenta bancaria, ctabanco, cta banco, cta
            bancaria, num cta, nro cta, cta corriente, num cuenta bancaria, num compte, num
            conta, nr conta, cuenta clabe, cbu, coordinate bancarie, num conto, nib conta,
            cuenta iban, conta poupanca, agencia conta, iban, nro cuenta bancaria, cuenta
            ahorro, cuenta ahorros, cuenta nomina, cuenta banco, num cuenta banco, compte iban,
            numero de compte bancaire, numero compte bancaire, code iban, references bancaires,
            releve identite bancaire, conta corrente numero, numero conta bancaria, numero da
            conta bancaria, num conta bancaria, dados bancarios, datos bancarios, conto
            bancario, numero conto corrente, num conto corrente, dati bancari, codice iban,
            numer konta bankowego, cle rib, code guichet, cuenta destino, cuenta origen, cuenta
            beneficiario, cuenta abono, cuenta cargo, cuenta deposito, conta destino, conta
            origem, conta beneficiario, conta deposito, compte beneficiaire, compte crediteur,
            compte debiteur, compte destinataire, conto beneficiario, conto destinazione, conto
            addebito, conto accredito, rachunek odbiorcy, rachunek bankowy, numer rachunku"""
        ),
        in_person_table=phrases(
            """ccc, banco conta, banco agencia, kto, rib, nib, ucet, conta, cuenta, konto,
            bankleitzahl, blz, rekening, compte, swift"""
        ),
    ),
    Kind(
        "payment card",
        TIMES | {"binary", "boolean", "float"},
        tail=phrases(
            """card number, card no, card num, card nbr, card pan, cardnumber, credit card,
            creditcard, debit card, cc number, cc num, cc no, ccnum, ccn, cvv, cvc, cvv 2, cvc
            2, csc code, card security code, card verification, card cvv, card cvc, cc last 4,
            card last 4, last 4, last four, card last four, card expiry, card expiration, cc
            expiry, cc exp, card exp, primary account number, card track, card token,
            kreditkarte, kreditkartennummer, kartennummer, kartennr, kreditkartennr, pruefziffer
            karte, kortnummer, kredi karti, creditcardnummer, pan last four, pan last 4, card
            exp month, card exp year, card exp date, card exp dt, cc exp date, cc exp month, cc
            exp year, cc exp dt, cc expiry date, card expiry date, card expiry month, card
            expiry year, card expiration date, card valid until, card valid thru, cc cvv, cc
            cvc, credit card no, credit card num, creditcard no, ccnumber, ccno, cardno,
            cardnum, credit card last 4, debit card number, card last four digits, expiry month
            card, exp month card, cvv 2 code, security code card, track data, track 2 data,
            kartenpruefnummer, kartenprufnummer, kreditkarte nr, karten nr, kreditkarte gueltig
            bis, kreditkarte gultig bis, kreditkarte ablauf, karte gueltig bis, karte pin, cvv
            code, cvc code, numer karty, nr karty, karta kredytowa, kortnr, creditcard nummer,
            kaartnummer, creditcardnr, masked pan, truncated pan, tokenized pan, encrypted pan,
            pan masked, pan encrypted, pan hash, pan token, cardholder pan, fpan, dpan, acct
            pan, masked card, masked card number, card masked, card number masked, card mask,
            card hash, card bin, card bin number, card first 6, card first six, card number last
            four, cc number enc, cc num enc, cc enc, cc hash, cc token, cc cid, cc cvv 2, card
            nr, cardnr, credit card number, credit card nr, creditcard number, cc num hash, cvn,
            cid code, credit card exp, credit card expiry, cc expires, cc expiration, cc expiry
            year, cc expiry month, card exp yr, card exp mo, card expires, card expires on, bank
            card number, bankcard number, bankcard no, debit card no, amex number, visa card
            number, magstripe, track 1 data, kk nummer, kk nr, kreditkarten nr, ec kartennummer,
            girokartennummer, kredittkort, kreditkort, betaalkaart nummer, bankpasnummer, numer
            karty kredytowej, cislo karty, pruefziffer kreditkarte, kartenpruefziffer,
            luottokortti, gift card number, gift card no, gift card pin, store card number, fuel
            card number, prepaid card number"""
        ),
        head=phrases(
            """numero carte, numero de carte, carte bancaire, carte credit, carte de credit, numero
            tarjeta, tarjeta credito, tarjeta de credito, numero de tarjeta, cartao credito,
            cartao de credito, numero cartao, numero do cartao, carta di credito, carta credito,
            numero carta, cryptogramme, cryptogramme visuel, date expiration carte, expiration
            carte, num carte, numero cb, num cb, numero de cb, codigo seguridad tarjeta, num
            tarjeta, nro tarjeta, numero de la tarjeta, fecha caducidad tarjeta, caducidad
            tarjeta, vencimiento tarjeta, fecha vencimiento tarjeta, tarjeta numero, tarjeta
            debito, tarjeta bancaria, codigo seguranca cartao, cod seguranca cartao, validade
            cartao, num cartao, nr cartao, cartao numero, cartao debito, carta pagamento,
            scadenza carta, num carta, numero carte bancaire, numero de carte bancaire, numero
            carte credit, carte bleue, code cvv, code cvc, codigo cvv, codigo cvc, codice cvv,
            numero tarjeta credito, numero de tarjeta de credito, nro tarjeta credito, ultimos
            digitos tarjeta, ultimos cuatro tarjeta, numero cartao credito, numero do cartao de
            credito, final cartao, ultimos digitos cartao, numero carta credito, numero carta di
            credito, derniers chiffres carte"""
        ),
        in_person_table=phrases(
            """pan, cc, tarjeta, cartao, carte bancaire, carte bleue, carta di credito, num
            tarjeta, cc expiry, tarjeta numero"""
        ),
    ),
    Kind(
        "password, key or other secret",
        TIMES | {"boolean", "decimal", "float"},
        tail=phrases(
            """sudo pass, root pass, db pass, admin pass, smtp pass, ftp pass, ldap pass, api
            pass, pwd hint, password hint, passwort hinweis, password, passwd, passphrase,
            pwd, pass word, passcode, pin code, user pin, card pin, secret, secret key, client
            secret, shared secret, app secret, webhook secret, api key, apikey, api secret,
            api token, private key, ssh key, access key, access key id, secret access key,
            encryption key, signing key, master key, access token, refresh token, auth token,
            session token, bearer token, id token, reset token, remember token, verification
            token, invite token, device token, push token, csrf token, oauth token, token,
            jwt, otp, otp code, otp secret, totp, totp seed, totp secret, mfa secret, mfa
            code, two factor secret, two factor code, recovery code, backup code, security
            answer, secret answer, password hint, pass hint, passphrase hint, passworthinweis,
            secret question, security question, recovery question, sicherheitsfrage,
            geheimfrage, beveiligingsvraag, security code, credential, seed phrase, mnemonic,
            salt, password salt, pw hash, hashed pw, encrypted pw, crypted pw, user pw, login
            pw, admin pw, account pw, old pw, new pw, temp pw, db pw, smtp pw, wifi pw, pw
            encrypted, pw hashed, cookie value, session cookie, security stamp, connection
            string, hash password, pass hash, key pem, magic link, passwort, kennwort,
            losungswort, geheimnis, zugangsdaten, sicherheitsantwort, wachtwoord, losenord,
            adgangskode, passord, salasana, haslo, heslo, jelszo, sifre, пароль, パスワード, 密码,
            passwordhash, pw salt, passwd hash, pass phrase, password digest, encrypted
            password, user pass, userpass, user pwd, secret question answer, security question
            answer, answer hash, app key secret, consumer secret, oauth secret, license
            secret, hmac secret, hmac key, jwt secret, session secret, cookie secret, auth
            secret, token secret, token hash, api key hash, key secret, reset code, reset
            password code, reset key, reset password key, confirmation token, activation
            token, activation key, email token, unsubscribe token, login token, sso token, two
            factor token, mfa token, mfa seed, otp seed, backup codes, recovery codes,
            recovery key, recovery token, private pem, client key pem, ssl key, tls key, db
            password, database password, root password, admin password, ftp password, smtp
            password, wifi password, wifi key, wpa key, psk, pre shared key, preshared key,
            auth header, authorization header, auth cookie, session key, encryption secret,
            decryption key, keystore password, truststore password, service account key,
            connectionstring, conn str, connection str, pin hash, pin number, pincode, secret
            token, secret value, secret hash, secret answer hash, wallet seed, seed words,
            private seed, vault token, webhook token, bot token, verify token, sas token,
            access key secret, secret access, storage key, account key, passwort hash,
            kennworthash, passworthash, kennwort hash, api schluessel, api schlussel, privater
            schluessel, privater schlussel, geheimer schluessel, geheimer schlussel,
            zugangstoken, zugriffstoken, sicherheitsfrage antwort, zugangscode,
            wachtwoordhash, wachtwoord hash, geheime sleutel, api sleutel, losenord hash,
            haslo hash, klucz api, klucz prywatny, pin, pswd, psw, passw, passwrd, pword, pass
            crypted, pass encrypted, pass hashed, passwd crypted, rp token, password reset
            token, private key pem, pem, puk, puk code, puk 1, sim pin, sim puk, access code,
            door code, entry code, gate code, alarm code, lock code, unlock code, keypad code,
            master code, safe code, safe combination, snmp community, community string, snmp
            community string, tan list, wep key, wifi pass, wifi passphrase, wlan passwort,
            wlan key, wlan password, login password, user password, web password, app
            password, application password, bind password, ldap password, proxy password, vpn
            password, vpn psk, email password, mail password, old password, new password,
            previous password, password encrypted, password enc, password plain, password
            plaintext, password sha 1, password md 5, password crypt, hashed password, crypted
            password, passwordsalt, hash salt, token salt, secret salt, user salt, pepper,
            challenge answer, otp hash, one time password, one time code, totp key, totp
            token, hotp secret, two fa secret, tfa secret, 2 fa secret, mfa key, google
            authenticator secret, authenticator secret, authenticator key, sms code,
            invitation token, password token, reset hash, activation hash, verification hash,
            email verification token, email confirmation token, xsrf token, fcm token, apns
            device token, gcm token, registration token, persist code, personal access token,
            deploy key, deploy token, oauth token secret, oauth access token, oauth refresh
            token, access token secret, app token, application secret, shared key, master
            password, root key, server key, private key passphrase, keystore pass, key
            passphrase, pfx, p 12, pkcs 12, certificate private key, ssh private key, rsa
            private key, pgp private key, gpg key private, encryption key id secret, crypto
            key, aes key, cipher key, data key encrypted, api password, apikey hash,
            apisecret, api credentials, credentials json, service account json, kubeconfig,
            dsn password, jdbc password, database url secret, aws secret, aws secret key, aws
            access key, aws access key id, s 3 secret, gcp key, azure key, sas url, stripe
            key, stripe secret, stripe secret key, webhook key, webhook signing key, hook
            secret, recovery phrase, recovery seed, mnemonic phrase, session hash, session
            secret key, remember me token, rememberme token, login hash, login key, autologin
            key, auto login token, auth code secret, auth key secret, auth hash, authkey,
            authtoken, sessiontoken, accesstoken, refreshtoken, clientsecret, secretkey,
            privatekey, wachtwoord reset token, wachtwoord salt, inlogcode, toegangscode,
            pincode hash, beveiligingscode, losenordshash, haslo zaszyfrowane, kod pin, kod
            dostepu, skrot hasla, token dostepu, kennwort salt, passwort salt, pin nummer,
            pinnummer, geheimzahl, tuercode, zutrittscode, tuerencode, alarmcode,
            einmalpasswort, geheimfrage antwort, wiederherstellungscode, sitzungstoken,
            aktivierungscode, secure key, consumer key, customer secret key, app secret key,
            hashed token, token digest, api key encrypted, shared access key, session cookie
            value, verification code, one time passcode, pass code, dsn, license key, licence
            key, serial key, key material, secret material, private key material, key blob,
            signing cert key, credentials, access secret, secret string, secret text,
            registration code secret, sms verification code, email verification code, phone
            verification code, login code, login pin, atm pin, pin block, transaction pin,
            transaction password, unlock pattern, device passcode, security pin, web pin,
            parental pin, voicemail pin, phone pin, stream key, streaming key, publish key,
            rtmp key, server key secret, room password, meeting password, meeting passcode,
            join code secret, guest password, share password, link password, pdf password, zip
            password, archive password, account password, portal password, domain password,
            admin pass, master pass, smtp pass, ftp pass, sftp pass, db pass, imap pass, mail
            pass, ldap pass, root pass, http pass, proxy pass, login pass, wlan pass, sql
            pass, mysql pass, rdp pass, ssh pass, pairing code, pairing key, pairing token,
            unlock key, claim token, recovery hash, access pin, entry pin, door pin, gate pin,
            alarm pin"""
        ),
        head=phrases(
            """mot de passe, mot passe, mdp, motdepasse, contrasena, contrasenia, clave acceso,
            clave secreta, senha, palavra passe, parola accesso, clave privada, cle privee, cle
            api, cle secrete, reponse secrete, jeton acces, mot de passe hache, motpasse, mot
            passe hache, code secret, code pin, code confidentiel, jeton, jeton d acces, jeton
            actualisation, cle d api, question secrete reponse, reponse indice mot de passe,
            pista contrasena, dica senha, question secrete, contrasenya, clave api, clave de
            acceso, clave hash, clave encriptada, clave usuario, token acceso, token de acceso,
            token sesion, respuesta secreta, respuesta seguridad, chave api, chave secreta,
            chave acesso, chave de acesso, chave privada, chave de api, token acesso, token de
            acesso, resposta secreta, resposta seguranca, senha hash, palavra passe hash, parola
            chiave, parola d ordine, chiave api, chiave privata, chiave segreta, risposta
            segreta, codice pin, codice segreto, token accesso, codigo pin, clave root, clave
            admin, clave wifi, clave bd, clave servidor, chave root, chave wifi, mot de passe
            chiffre, mot de passe crypte, code acces, code d acces, code porte, code alarme, cle
            chiffrement, cle wifi, cle secrete api, jeton session, jeton csrf, contrasena hash,
            contrasena cifrada, contrasena encriptada, password usuario, clave cifrado, clave de
            cifrado, codigo acceso, codigo de acceso, codigo puerta, codigo alarma, pin tarjeta,
            frase semilla, token recuperacion, question secrete, question de securite, pregunta
            secreta, pregunta de seguridad, pergunta secreta, pergunta de seguranca, domanda
            segreta, domanda di sicurezza, clave temporal, pwd usuario, pass usuario, senha
            acesso, senha de acesso, senha criptografada, senha temporaria, senha usuario,
            codigo de acesso, codigo acesso, chave criptografia, token recuperacao, pin cartao,
            password utente, codice accesso, codice di accesso, chiave di cifratura, chiave
            cifratura, chiave wifi, pin carta, parola segreta, haslo, haslo hash"""
        ),
        in_person_table=phrases(
            """pw, pass, key, auth key, clave, hash, parola, passwd, psw, pswd, pwhash, senha
            web, contrasena web, mdp hash, geheim, tan, activation code, code acces, sifre,
            pin code, activation, activation token, activation hash, hashed pass, secure
            key, login pass"""
        ),
        tail_words=words(
            """current digest new old pem previous salt encrypted hashed v1 v2 iv tmp
            temporary"""
        ),
    ),
)
