"""Words for how and where somebody is reached or found, in a dozen languages."""

from __future__ import annotations

from pipeline.profile.kinds import NOT_TEXT, TIMES, Kind, phrases, words

CONTACT = (
    Kind(
        "e-mail address",
        NOT_TEXT,
        tail=phrases(
            """email, e mail, mail, email addr, email address, mail address, mailaddress,
            emailadresse, mailadresse, epost, e post, epostadress, sahkoposti, mejl, eposta, e
            posta, эл почта, почта, メール, 邮箱, 电子邮件, mails, email adresse, e mailadres, e
            mailadresse, emailadres, mail adresse, mejl adress, mailadres, email priv,
            emailaddr, eml, epostadresse, e postadresse, mailbox address, adres email, adres
            mail, eadres, reply to, replyto, return path, email cc, cc email, bcc email, email
            to, email from, to email, from email, sender email, paypal email, mail privat, mail
            geschaeftlich, envelope from, envelope to, rcpt to, mail from, mail to, mailto,
            rcpt, header from, mailfrom, smtp from"""
        ),
        head=phrases(
            """correo, correo electronico, courriel, adresse mail, adresse courriel, adresse
            electronique, mel, correo e, correio eletronico, correio electronico, posta
            elettronica, indirizzo email, indirizzo mail, indirizzo posta elettronica, direccion
            correo, direccion email, endereco email, adresse email, adresse e mail, adresse de
            courriel, correo personal"""
        ),
        tail_words=words("id"),
    ),
    Kind(
        "phone number",
        TIMES | {"binary", "boolean"},
        tail=phrases(
            """phone, telephone, tel, mobile, mobile phone, cell phone, cellphone, fax, telefax,
            whatsapp, msisdn, landline, telefon, telefonnummer, telefonnr, tel nr, rufnummer,
            handynummer, handynr, mobilnummer, mobiltelefon, festnetz, faxnummer, telefoon,
            telefoonnummer, telefonnumer, komorka, puhelin, puhelinnumero, telefono, telefone,
            телефон, 電話, 电话, 手机, phone nbr, fone, telnr, tel no, telno, faxnr, fax no, faxno,
            mobilnr, mobile nr, mobil nr, handy nr, phoneno, phonenumber, phone no, tfno, tlf,
            telf, telef, cell number, cell no, cellno, cell num, mobileno, ph no, ph number,
            phn, phone ext, callback number, call back number, contact number, contact no, sms
            number, caller id number, caller number, caller, called number, to number phone,
            from number phone, mobilephone, homephone, workphone, rueckrufnummer, ruckrufnummer,
            durchwahl, mobiel, mobiel nr, mobielnummer, telefoonnr, gsm nummer, gsm nr, telefon
            komorkowy, numer telefonu, nr telefonu, tel komorkowy, mobilfunknummer,
            mobiltelefonnummer, telefonszam, mobilni telefon, telefonni cislo, teleph, tel 1,
            tel 2, facsimile, telex, pager, signal number, viber, telegram number, callee
            number, callee, tel eltern, telefon eltern, elterntelefon, emergency phone, calling
            number, calling party, calling party number, called party, called party number, a
            number msisdn, b number msisdn, caller id, callerid, dialed number, dialled number,
            dialed no, sender number, recipient number, receiver number, originating number,
            terminating number, destination number, from number, to number, work ph, home ph,
            mobile ph, cell ph, office ph, res ph, ph num, ph nbr, ph 1, ph 2, phone 1, phone 2,
            tele, tele no, contact tel, contact mobile, contact ph, mob no, mob num, mob number,
            mobilephone number, mobnum, mobno, gsm number, gsm no, telf 1, telf 2, telfx, tel
            number, fax number, faxnum, fax nbr, cell phone no, telephone no, telephone nbr,
            telephone num, phone contact, day phone, evening phone, daytime phone, evening
            telephone, tel prive, tel werk, tel privat, tel dienstlich, telefon privat, telefon
            dienstlich, telefon mobil, mobil privat, notfallnummer, notrufnummer person,
            notfalltelefon, notfall telefon, emergency number, sim msisdn, subscriber number,
            mobiltelefonnr, hemtelefon, arbetstelefon, puhelinnro, matkapuhelin, telefoonnummer
            2, gsmnummer, mobiele nummer, tel stacjonarny, nr komorki, nr kom, tel kom, telefon
            kontaktowy, telefon stacjonarny"""
        ),
        head=phrases(
            """telefono, telefone, numero telefono, numero telefone, numero telephone, numero de
            telephone, celular, movil, telemovel, cellulare, telefon, numar telefon, telephones,
            telefono fijo, telefono casa, num tel, no tel, nr tel, nro telefono, num telefono,
            num telefone, nr telefone, nr celular, numero celular, numero movil, numero
            cellulare, ramal, telephone fixe, tel portable, numero portable, telephone portable,
            telephone mobile, numero de telefono, numero de telefone, numero di telefono,
            contato telefonico, telefonos, telefones, tel fixe, tel mobile, tel domicile, tel
            bureau, tel perso, tel pro, no telephone, n telephone, n tel, num portable, num
            mobile, num fixe, tel movil, tel fijo, tel casa, tel oficina, tel trabajo, tel
            contacto, num movil, num celular, nro celular, nro movil, tel celular, tel
            residencial, tel comercial, fone residencial, fone celular, fone comercial, num
            telemovel, numero telemovel, tel ufficio, tel cellulare, num cellulare, n telefono,
            n cellulare, recapito telefonico, numer tel, numer kontaktowy, numer komorkowy,
            numero fixe, numero mobile, numero perso, numero casa, numero oficina, numero
            trabajo, numero contacto, numero contacto emergencia, numero whatsapp, numero
            emergencia, numero recado, telefono recado"""
        ),
        in_person_table=phrases(
            """mob, cell, extension, phone ext, durchwahl, cel, gsm, portable, handy, mobil,
            extension number, ext, ramal, interno, poste telephonique, toestel, mobile 1,
            mobiel, mob, ph, a number, b number, tel mobile, cell 1, cell 2, mobile 2, landline,
            call number, number called"""
        ),
        tail_words=words(
            """cell biz bus direct day evening night priv desk contact emergency eve hm wk mob
            value mobil privat geschaeftlich dienst dienstlich festnetz buero arbeit fixe
            portable perso pro movil fijo casa oficina trabajo celular residencial comercial
            cellulare ufficio prywatny sluzbowy komorkowy hem arbete prive werk thuis"""
        ),
    ),
    Kind(
        "street or postal address",
        TIMES | {"binary", "boolean", "decimal", "float"},
        tail=phrases(
            """address, addr, street, street address, street name, street number, street no, house
            number, house no, house nr, address line, addr line, street line, home address,
            residence, mailing address, postal address, zip, zip code, zipcode, postal code,
            postcode, post code, po box, apartment number, apt number, apt no, full address,
            building number, adresse, anschrift, strasse, str nr, strassenname, hausnummer,
            hausnr, postleitzahl, plz, postfach, wohnort, wohnadresse, lieferadresse,
            rechnungsadresse, lieferanschrift, rechnungsanschrift, adres, straat, straatnaam,
            huisnummer, postbus, adress, gatuadress, postnummer, postnr, katuosoite, osoite,
            postinumero, ulica, nr domu, kod pocztowy, ulice, iranyitoszam, posta kodu, адрес,
            улица, индекс, 住所, 地址, 郵便番号, 邮编, vej, addr 1, addr 2, adr, adresszeile, adress
            zeile, addrline, street addr, streetname, house num, house nbr, housenumber, flat
            number, flat no, door number, suite number, zip 4, zip plus 4, zipcode 5, postal cd,
            post cd, postalcode, zip cd, eircode, residential address, permanent address,
            current address, billing addr, shipping addr, ship addr, str hausnr, strasse hausnr,
            strasse hausnummer, strasse nr, strasse und hausnummer, hausnr zusatz,
            privatanschrift, privatadresse, heimatadresse, lieferstrasse, meldeadresse,
            postanschrift, wohnsitz, street 1, street 2, woonplaats adres, thuisadres,
            postadres, bezorgadres, factuuradres, huisnr, hemadress, leveransadress,
            fakturaadress, bostadsadress, adres zamieszkania, adres domowy, adres
            korespondencyjny, numer domu, nr mieszkania, kod poczt, ulica nr, adresse postale,
            adress 1, gadenavn, husnummer, vejnavn, add line, address 1, address 2, addr line 1,
            add line 1, add line 2, addressline, addresslines, stras, pstlz, street 3, house no
            suffix, street and number, street and house number, zip postal, zip postal code, zip
            or postal code, zip plus four, postal zip, post code zip, postal zone, mail stop
            address, residence address, residential addr, residence addr, permanent addr,
            present address, correspondence address, home addr, home street, home zip, work
            address, apartment no, apt, apt num, unit number address, room address, house name,
            street addr 1, living address, place of residence, residence place, domicile,
            hausnummer zusatz, strasse privat, privat plz, adresszusatz, lieferplz,
            rechnungsplz, lieferhausnummer, wohnstrasse, zustelladresse, lieferort adresse,
            zustellanschrift, versandadresse, afleveradres, verzendadres, woonadres, postcode
            huisnummer, toevoeging huisnummer, huisnr toev, straat en huisnummer, bostadsadr,
            utdelningsadress, besoksadress person, postadr, hemadr, kotiosoite, bopael, bopael
            adresse"""
        ),
        head=phrases(
            """adresse, numero rue, code postal, direccion, calle, domicilio, codigo postal, numero
            calle, endereco, logradouro, rua, bairro, morada, indirizzo, codice postale, numero
            civico, adresa, strada, cod postal, cep, rue, adresse domicile, adresse livraison,
            num rue, no rue, nom rue, numero voie, nom voie, libelle voie, complement adresse,
            adresse postale, code post, domicilio fiscal, domicilio particular, calle numero,
            numero exterior, numero interior, num calle, nombre calle, codpostal, cp postal,
            numero casa, num casa, nro casa, complemento endereco, endereco completo, endereco
            residencial, nome rua, num endereco, via indirizzo, via residenza, indirizzo
            residenza, residenza, cap residenza, cod postale, codice avviamento postale, civico,
            cp livraison, cp facturation, cp domicile, adres, adres dostawy, adres wysylki,
            adres zameldowania, ulica, kod pocztowy, adresse de livraison, adresse de
            facturation, adresse facturation, adresse expedition, adresse personnelle, lieu
            residence, lieu de residence, cp ville, no civique, num voie, direccion envio,
            direccion entrega, direccion facturacion, direccion particular, direccion casa,
            lugar residencia, lugar de residencia, domicilio real, domicilio legal, c postal,
            num exterior, num interior, num ext, num int, piso puerta, endereco cobranca,
            endereco entrega, local residencia, codigo postal entrega, andar porta, cep entrega,
            cep residencial, indirizzo fatturazione, indirizzo spedizione, indirizzo consegna,
            luogo residenza, luogo di residenza, cap domicilio, n civico, num civico"""
        ),
        in_person_table=phrases(
            """gate, vej, cim, psc, utca, cp, rue, voie, cep, via, cap, colonia, str,
            postal, complemento, complement, piso, portal, zip 5, str nr, wohnung, line
            1, line 2"""
        ),
    ),
    Kind(
        "network or device identifier",
        TIMES | {"boolean", "decimal", "float"},
        tail=phrases(
            """ip, ip address, ip addr, ipaddress, ipaddr, remote ip, client ip, remote addr,
            remote address, ipv 4, ipv 6, inet addr, mac address, mac addr, imei, imei number,
            imsi, iccid, meid, udid, idfa, gaid, advertising id, ad id mobile, device
            identifier, device fingerprint, browser fingerprint, cookie id, device serial, host
            ip, ip adresse, ip adres, android id, bluetooth address, sim number, device id, user
            ip, visitor ip, source ip, src ip, ip src, login ip, last ip, signup ip,
            registration ip, last login ip, created ip, ip v 4, ip v 6, ip from, mac adresse,
            mac adres, adres ip, geraete id, gerate id, geraetekennung, geratekennung, geraete
            kennung, visitor cookie id, tracking cookie, fcm id, device uuid, device uid, device
            imei, serial imei, aaid, wifi mac, bssid, phone imei, ip hash, machine fingerprint,
            adres mac, x forwarded for, forwarded for, lastip, sign in ip, created by ip, sim
            iccid, mac id, hw address, hwaddr, hardware address, ethernet address, wlan mac, eth
            mac, bt mac, bluetooth mac, bt address, esn, meid number, eid number, sim serial,
            sim id, sim card number, euicc id, device serial number, phone serial, handset id,
            imei 1, imei 2, imei sv, client ip address, remote ip address, user ip address,
            hashed ip, anonymized ip, request ip, origin ip, peer ip, caller ip, sender ip,
            visitor ip address, browser ip, session ip, access ip, logon ip, signin ip, payment
            ip, order ip, customer ip, checkout ip, ip client, ga client id, google client id,
            google advertising id, apple idfa, idfv, fbp, visitor uuid, cookie uuid, cookie
            identifier, canvas fingerprint, machine id, hardware id, hwid, push device id,
            tracking identifier, ip origin, ip orig"""
        ),
        head=phrases(
            """adresse ip, direccion ip, endereco ip, indirizzo ip, adresse mac, direccion mac,
            endereco mac, indirizzo mac, ip usuario, ip utilisateur, ip cliente, identifiant
            appareil, identificador dispositivo, ip origen, ip origem, ip connexion, ip
            conexion, ip acceso, ip acesso, ip registro, ip visiteur, adresse ip client, ip
            client, numero imei, numero serie telephone, codigo imei, ip utente, ip accesso"""
        ),
        tail_words=words(
            """signup opt optin login logon register registration created updated origin source
            client remote v4 v6 v"""
        ),
    ),
    Kind(
        "position of a person",
        TIMES | {"boolean", "integer"},
        tail=phrases(
            """latitude, longitude, lat, lon, lng, long lat, lat long, lat lng, lat lon, gps, gps
            lat, gps lon, gps lng, gps position, gps coordinates, coordinates, geo location,
            geolocation, geo point, geo lat, geo lon, geo lng, gps location, last location,
            breitengrad, laengengrad, langengrad, home location, spatial location, spatial
            point, geo spatial, geotag, geo tag, geotags, geo tags, geotagging, gps tag, geom
            point, driver location, driver position, courier location, courier position, rider
            location, rider position, customer location, employee gps, vehicle location, vehicle
            position, device location, client location, standort fahrer, geoloc, gps coord, gps
            coords, gps point, gps track, last known location, current location, home lat, home
            lon, home lng, pickup lat, pickup lng, dropoff lat, latlong, latlng, latlon, gps
            breite, gps laenge, szerokosc geograficzna, dlugosc geograficzna, breedtegraad,
            lengtegraad, user location, gps long, gps x, gps y, gps latitude, gps longitude, geo
            latitude, geo longitude, geo coordinates, geo coords, geo position, gps fix,
            location point, last lat, last lng, last lon, last latitude, last longitude, last
            position, last seen location, lastlat, lastlng, lastlon, user lat, user lng, user
            lon, home latitude, home longitude, home coordinates, home gps, work location gps,
            dropoff lng, pickup lon, pickup latitude, dropoff latitude, current lat, current
            lng, current latitude, current longitude, current position, live location, location
            lat, location lng, location lon, loc lat, loc lng, loc lon, whereabouts, geo hash,
            geohash, cell tower location, position gps, standort gps, gps standort,
            geokoordinaten, koordinaten, gps koordinaten, aufenthaltsort, gps coordinaten,
            huidige locatie, gps koordinater, latitud, wspolrzedne, wspolrzedne gps"""
        ),
        head=phrases(
            """latitud, longitud, latitudine, longitudine, coordenadas, coordonnees gps, posicion
            gps, geolocalizacion, geolocalisation, geolocalizacao, ubicacion gps, localizacao
            gps, posizione gps, coordinate gps, ubicacion usuario, coordonnees geographiques,
            position gps, position geographique, localisation gps, geolocalizzazione, ubicacion
            actual, localizacion gps, localizacao atual, coordenadas gps, posizione attuale"""
        ),
    ),
)
