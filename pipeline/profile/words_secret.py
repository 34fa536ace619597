"""Words for money and secrets, in a dozen languages."""

from __future__ import annotations

from pipeline.profile.kinds import TIMES, Kind, phrases, words

SECRETS = (
    Kind(
        "bank account",
        TIMES | {"binary", "boolean", "float"},
        tail=phrases(
            """iban, bank account, bank account number, bank acct, bank acc, acct number
            bank, routing number, routing no, sort code, bsb, bsb number, aba number,
            swift iban, bank details, bank number, giro account, iban last 4,
            kontonummer, kontonr, konto nr, bankverbindung, bankkonto, bankkontonummer,
            rekeningnummer, bankrekening, bankkontonr, clearing number, nr konta, numer
            konta, rachunek bankowy, hesap no, счет, расчетный счет, 银行账号, 口座番号, ktonr,
            kto nr, ktonummer, bank kto, iban nr, iban no, ibannr, iban number, direct
            deposit account, deposit account number, bank acct number, bank acct no,
            bank account no, bankacct, ach account, ach routing, nr rachunku, numer
            rachunku, rachunek, konto bankowe, bankrekeningnummer, bankgiro, plusgiro,
            bankkonto nr, cislo uctu"""
        ),
        head=phrases(
            """cuenta bancaria, numero cuenta, numero de cuenta, cuenta corriente, clabe,
            conta bancaria, conta corrente, numero conta, numero da conta, numero
            compte, numero de compte, compte bancaire, conto corrente, numero conto,
            coordonnees bancaires, chave pix, rib iban, code rib, numero rib, cuenta
            numero, num cuenta, nro cuenta, numero cuenta bancaria, ctabanco, cta banco,
            cta bancaria, num cta, nro cta, cta corriente, num cuenta bancaria, num
            compte, num conta, nr conta, cuenta clabe, cbu, coordinate bancarie, num
            conto, nib conta, cuenta iban, conta poupanca, agencia conta, iban"""
        ),
        in_person_table=phrases("kto, rib, nib, ucet, conta, cuenta, konto, rekening, compte"),
    ),
    Kind(
        "payment card",
        TIMES | {"binary", "boolean", "float"},
        tail=phrases(
            """card number, card no, card num, card nbr, card pan, cardnumber, credit card,
            creditcard, debit card, cc number, cc num, cc no, ccnum, ccn, cvv, cvc, cvv
            2, cvc 2, csc code, card security code, card verification, card cvv, card
            cvc, cc last 4, card last 4, last 4, last four, card last four, card expiry,
            card expiration, cc expiry, cc exp, card exp, primary account number, card
            track, card token, kreditkarte, kreditkartennummer, kartennummer, kartennr,
            kreditkartennr, pruefziffer karte, kortnummer, kredi karti,
            creditcardnummer, pan last four, pan last 4, card exp month, card exp year,
            card exp date, card exp dt, cc exp date, cc exp month, cc exp year, cc exp
            dt, cc expiry date, card expiry date, card expiry month, card expiry year,
            card expiration date, card valid until, card valid thru, cc cvv, cc cvc,
            credit card no, credit card num, creditcard no, ccnumber, ccno, cardno,
            cardnum, credit card last 4, debit card number, card last four digits,
            expiry month card, exp month card, cvv 2 code, security code card, track
            data, track 2 data, kartenpruefnummer, kartenprufnummer, kreditkarte nr,
            karten nr, kreditkarte gueltig bis, kreditkarte gultig bis, kreditkarte
            ablauf, karte gueltig bis, karte pin, cvv code, cvc code, numer karty, nr
            karty, karta kredytowa, kortnr, creditcard nummer, kaartnummer, creditcardnr"""
        ),
        head=phrases(
            """numero carte, numero de carte, carte bancaire, carte credit, carte de
            credit, numero tarjeta, tarjeta credito, tarjeta de credito, numero de
            tarjeta, cartao credito, cartao de credito, numero cartao, numero do cartao,
            carta di credito, carta credito, numero carta, cryptogramme, cryptogramme
            visuel, date expiration carte, expiration carte, num carte, numero cb, num
            cb, numero de cb, codigo seguridad tarjeta, num tarjeta, nro tarjeta, numero
            de la tarjeta, fecha caducidad tarjeta, caducidad tarjeta, vencimiento
            tarjeta, fecha vencimiento tarjeta, tarjeta numero, tarjeta debito, tarjeta
            bancaria, codigo seguranca cartao, cod seguranca cartao, validade cartao,
            num cartao, nr cartao, cartao numero, cartao debito, carta pagamento,
            scadenza carta, num carta"""
        ),
        in_person_table=phrases("pan, cc"),
    ),
    Kind(
        "password, key or other secret",
        TIMES | {"boolean", "decimal", "float"},
        tail=phrases(
            """password, passwd, passphrase, pwd, pass word, passcode, pin code, user pin,
            card pin, secret, secret key, client secret, shared secret, app secret,
            webhook secret, api key, apikey, api secret, api token, private key, ssh
            key, access key, access key id, secret access key, encryption key, signing
            key, master key, access token, refresh token, auth token, session token,
            bearer token, id token, reset token, remember token, verification token,
            invite token, device token, push token, csrf token, oauth token, token, jwt,
            otp, otp code, otp secret, totp, totp seed, totp secret, mfa secret, mfa
            code, two factor secret, two factor code, recovery code, backup code,
            security answer, secret answer, security code, auth code, credential, seed
            phrase, mnemonic, salt, password salt, pw hash, cookie value, session
            cookie, security stamp, connection string, hash password, pass hash, key
            pem, magic link, passwort, kennwort, losungswort, geheimnis, zugangsdaten,
            sicherheitsantwort, wachtwoord, losenord, adgangskode, passord, salasana,
            haslo, heslo, jelszo, sifre, пароль, パスワード, 密码, passwordhash, pw salt,
            passwd hash, pass phrase, password digest, encrypted password, user pass,
            userpass, user pwd, secret question answer, security question answer, answer
            hash, app key secret, consumer secret, oauth secret, license secret, hmac
            secret, hmac key, jwt secret, session secret, cookie secret, auth secret,
            token secret, token hash, api key hash, key secret, reset code, reset
            password code, reset key, reset password key, confirmation token, activation
            token, activation key, email token, unsubscribe token, login token, sso
            token, two factor token, mfa token, mfa seed, otp seed, backup codes,
            recovery codes, recovery key, recovery token, private pem, client key pem,
            ssl key, tls key, db password, database password, root password, admin
            password, ftp password, smtp password, wifi password, wifi key, wpa key,
            psk, pre shared key, preshared key, auth header, authorization header, auth
            cookie, session key, encryption secret, decryption key, keystore password,
            truststore password, service account key, connectionstring, conn str,
            connection str, pin hash, pin number, pincode, secret token, secret value,
            secret hash, secret answer hash, wallet seed, seed words, private seed,
            vault token, webhook token, bot token, verify token, sas token, access key
            secret, secret access, storage key, account key, passwort hash,
            kennworthash, passworthash, kennwort hash, api schluessel, api schlussel,
            privater schluessel, privater schlussel, geheimer schluessel, geheimer
            schlussel, zugangstoken, zugriffstoken, sicherheitsfrage antwort,
            zugangscode, wachtwoordhash, wachtwoord hash, geheime sleutel, api sleutel,
            losenord hash, haslo hash, klucz api, klucz prywatny, pin, pswd, psw, passw,
            passwrd, pword, pass crypted, pass encrypted, pass hashed, passwd crypted,
            rp token, password reset token, private key pem"""
        ),
        head=phrases(
            """mot de passe, mot passe, mdp, motdepasse, contrasena, contrasenia, clave
            acceso, clave secreta, senha, palavra passe, parola accesso, clave privada,
            cle privee, cle api, cle secrete, reponse secrete, jeton acces, mot de passe
            hache, motpasse, mot passe hache, code secret, code pin, code confidentiel,
            jeton, jeton d acces, jeton actualisation, cle d api, question secrete
            reponse, reponse question secrete, contrasenya, clave api, clave de acceso,
            clave hash, clave encriptada, clave usuario, token acceso, token de acceso,
            token sesion, respuesta secreta, respuesta seguridad, chave api, chave
            secreta, chave acesso, chave de acesso, chave privada, chave de api, token
            acesso, token de acesso, resposta secreta, resposta seguranca, senha hash,
            palavra passe hash, parola chiave, parola d ordine, chiave api, chiave
            privata, chiave segreta, risposta segreta, codice pin, codice segreto, token
            accesso, codigo pin, clave root, clave admin, clave wifi, clave bd, clave
            servidor, chave root, chave wifi"""
        ),
        in_person_table=phrases(
            """pw, pass, key, auth key, clave, hash, parola, passwd, psw, pswd, pwhash,
            senha web, contrasena web, mdp hash, geheim, tan, activation code, auth,
            code acces, sifre, pin code"""
        ),
        tail_words=words(
            """current digest new old pem previous salt encrypted hashed v1 v2 iv tmp
            temporary"""
        ),
    ),
)
