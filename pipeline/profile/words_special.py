"""Words for what the law calls special, and for pay, in a dozen languages."""

from __future__ import annotations

from pipeline.profile.kinds import TIMES, Kind, phrases, words

SPECIAL = (
    Kind(
        "health data",
        TIMES | {"boolean", "decimal", "float"},
        tail=phrases(
            """icd, icd code, icd 10, icd 9, diagnosis, diagnoses, diagnosis code, diagnosis text,
            medication, medications, prescription, allergy, allergies, blood type, blood group,
            disability, hiv status, disease, symptoms, symptom, illness, medical history,
            medical condition, medical record number, medical record no, mrn, health condition,
            health insurance number, insurance number, insurance policy number, patient number,
            vaccination status, pregnancy status, mental health, chief complaint, lab result,
            genetic data, genotype, dna sequence, krankheit, krankenkasse, krankenversicherung,
            krankenversicherungsnummer, versichertennummer, blutgruppe, behinderung, allergie,
            allergien, medikament, medikamente, befund, bloedgroep, ziekte, diagnos, sjukdom,
            diagnoza, choroba, диагноз, группа крови, 病历, diagnose, diagnostico, disability
            status, disability type, disabilities, handicap status, health insurance no, health
            insurance id, health insurance member id, health plan member id, insurance member
            id, insurance member number, medical record, medical notes, medical conditions,
            clinical notes, med record no, prescription text, test result hiv, covid status,
            covid 19 status, vaccination, vaccinations, immunization, immunizations, vaccine
            status, vorerkrankungen, vorerkrankung, medikation, krankheiten, krankheitsbild,
            krankengeschichte, anamnese, befundtext, schwerbehinderung, behinderungsgrad, grad
            der behinderung, impfstatus, schwangerschaft, krankheitsgrund, zwangerschap,
            medicatie, aandoening, allergieen, medicijnen, sjukdomar, blodgrupp, allergier,
            grupa krwi, alergie, niepelnosprawnosc, leki, genome, sick leave reason, sickness
            reason, sick days reason, sick day reason, sick note, sick note reason, reason sick
            leave, reason for sick leave, sickness absence reason, medical absence reason,
            illness reason, substance use, smoking status, alcohol use, hiv, sti status, dx, dx
            code, dx name, dx desc, primary dx, secondary dx, admit dx, discharge dx, discharge
            diagnosis, admission diagnosis, admitting diagnosis, final diagnosis, working
            diagnosis, differential diagnosis, icd code 10, icd 11, snomed code, snomed
            diagnosis, procedure code medical, vaccine code, vaccine name, vaccine lot, vaccine
            type, prescribed drug, prescribed medication, prescribed medicine, current
            medications, current medication, drug allergy, drug allergies, food allergies, known
            allergies, allergen, allergy notes, special needs, special education needs, sen
            status, accessibility needs, dietary restrictions medical, injury, injuries, injury
            type, injury description, injury severity, body part injured, disease code, disease
            history, comorbidities, comorbidity, chronic conditions, chronic condition, chronic
            disease, medical conditions text, medical problem, problem list, medical alert,
            medical alerts, medical info, medical information, medical remarks, medical
            comments, health issues, health issue, health problems, health notes, health info,
            health history, health remarks, family history medical, family medical history, past
            medical history, surgical history, surgery type, surgeries, psychiatric history,
            psychiatric diagnosis, therapy notes, treatment plan, progress notes, nursing notes,
            doctor notes, physician notes, consultation notes, discharge summary, radiology
            report, pathology report, lab report, lab results, lab value, test result medical,
            hiv test, hiv test result, hiv result, covid test result, covid result, covid
            vaccination, vaccination history, vaccination date status, immunisation,
            immunisations, immunization status, immunisation status, pregnancy, gravidity, last
            menstrual period, lmp, menstrual cycle, contraception, fertility status, sexual
            health, std status, disability code, disability description, disability category,
            disability percentage, impairment, impairments, addiction, addictions, drug use,
            alcohol consumption, tobacco use, smoker status, cause of death, death cause, organ
            donor status, blood grp, bloodtype, bloodgroup, rh factor, rhesus factor, genetic
            marker, genetic test result, genomic data, dna result, mental illness, mental health
            status, mental state, sick reason, absence reason medical, sickness type, sickness,
            illness type, workplace injury, accident injury, diagnosis desc, diagnosis
            description, diagnosis name, diagnosis notes, diagnosis icd, hospitalization reason,
            reason for admission, admission reason, health insurance, insurance health number,
            patient mrn, medical id, medical file number, chart number, patient record number,
            patientennummer, patientnummer, krankenversicherungsnr, diagnoseschluessel,
            diagnosecode, diagnose code, diagnosen, hauptdiagnose, nebendiagnose,
            aufnahmediagnose, entlassdiagnose, icd schluessel, symptome, beschwerden,
            medikamente liste, unvertraeglichkeiten, chronische krankheiten, pflegegrad,
            pflegestufe, schwanger, impfungen, impfstoff, todesursache, arztbrief, therapie,
            krankheitsart, krankmeldung grund, fehlgrund krankheit, rhesusfaktor, ziektebeeld,
            diagnosecodes, klachten, allergie omschrijving, bloedtype, handicap omschrijving,
            medicijn, medicijngebruik, zwanger, sjukdomshistorik, medicinering, lakemedel,
            funktionsnedsattning, funktionshinder, symtom, graviditet, rozpoznanie, kod icd 10,
            kod choroby, objawy, przyjmowane leki, szczepienia, niepelnosprawnosc stopien,
            ciaza, diagnoosi, sairaus, veriryhma, adverse event, adverse events, adverse
            reaction, adverse reactions, side effect, side effects, rx number, rx no, rx num,
            prescription number, prescription no, prescription id, drug reaction,
            schwerbehindert, drug prescribed, prescribed drug, rx name, dosage, dosage
            instructions, medication taken, verdachtsdiagnose, injury description, disability
            code, schwerbehindert grad, grad behinderung, behindert, gehandicapt, handicape,
            discapacitado, minusvalido, deficiente, pcd, therapy type, therapy, disability pct,
            has disability, incident injury, hospital record number, hospital no, hospital
            number, patient history, clinical history, clinical diagnosis, clinical findings,
            exam findings, medical findings, medical diagnosis, medical certificate, medical
            leave reason, fitness status medical, diag code, diag desc, diag cd, diag text,
            diag, dx cd, foerderbedarf, forderbedarf, gestation weeks, gestation,
            foerderschwerpunkt, nachteilsausgleich, sen category, special education, iep status,
            specialundervisning, reason for visit, reason of visit, visit reason, consultation
            reason"""
        ),
        head=phrases(
            """diagnostic medical, diagnostico medico, groupe sanguin, grupo sanguineo, tipo
            sangre, tipo sanguineo, maladie, enfermedad, doenca, discapacidad, deficiencia,
            alergia, alergias, antecedents medicaux, historial medico, gruppo sanguigno,
            malattia, diagnosi, assurance maladie, diagnostico, diagnostic principal,
            diagnostico principal, diagnostics, traitement medical, traitement en cours, etat
            sante, etat de sante, maladies, grossesse, allergies, numero mutuelle, motif
            consultation, sintomas, sintoma, symptomes, enfermedades, tratamiento medico, estado
            salud, estado de salud, historia clinica, numero historia clinica, discapacidades,
            embarazo, medicacion, grado discapacidad, historico medico, estado saude, estado de
            saude, doencas, deficiencias, tratamento medico, gravidez, medicacao, prontuario,
            numero prontuario, malattie, allergie, stato salute, disabilita, cartella clinica,
            gruppo sangue, invalidita, antecedentes familiares, antecedentes personales,
            antecedentes medicos, antecedents familiaux, antecedentes pessoais, laudo medico,
            laudo, motivo consulta, motivo de consulta, tp sanguineo, tp sangre, tipo de sangre,
            tipo de sangue, cid 10, cie 10, code cim, code cim 10, code diagnostic, libelle
            diagnostic, symptome, antecedents, antecedents chirurgicaux, allergies connues,
            traitements, medicaments, medicament prescrit, medicaments prescrits, numero dossier
            medical, dossier medical, type handicap, taux handicap, taux invalidite, statut
            vaccinal, statut vih, etat mental, cause deces, cause de deces, groupe sang,
            pathologie, pathologies, motif arret maladie, motif hospitalisation, motif
            admission, codigo cie, codigo cie 10, codigo diagnostico, diagnosticos, alergias
            conocidas, medicamentos, medicamento recetado, grupo sangre, grupo sanguineo rh,
            factor rh, tipo discapacidad, grado minusvalia, minusvalia, estado vacunacion,
            antecedentes clinicos, antecedentes patologicos, expediente medico, expediente
            clinico, numero expediente clinico, causa muerte, causa de muerte, causa
            fallecimiento, patologia, patologias, motivo baja medica, motivo ingreso, vacunas,
            padecimiento, padecimientos, estado embarazo, codigo codigo cid 10, fator rh,
            medicamentos em uso, medicamento em uso, tipo deficiencia, estado vacinal, vacinas,
            historico clinico, historico saude, problema saude, problemas de saude, causa obito,
            causa da morte, motivo internacao, motivo internamento, codice icd, codice diagnosi,
            diagnosi principale, sintomi, farmaci, farmaco prescritto, terapia in corso,
            patologie, fattore rh, grado invalidita, tipo disabilita, stato vaccinale,
            vaccinazioni, anamnesi, causa morte, causa decesso, motivo ricovero, stato di
            salute, esenzione ticket, numero historia, num historia clinica, num expediente
            clinico, queixa principal, queixa, hipotese diagnostica, motivo atendimento,
            principio activo recetado, besoins particuliers, besoins specifiques, necesidades
            especiales, necessidades especiais, necessidade especial, necesidad especial, besoin
            particulier, besoin specifique, regime alimentaire, bisogni educativi"""
        ),
        in_person_table=phrases(
            """health status, diagnostico, test result value, test result, insurance number,
            insurance id, insurance member number, vers number, versicherung number, diagnose,
            handicap, treatment notes, diagnostic, antecedents, treatment, symptoms, pregnant,
            smoker, bmi, dna, lab results, medicamento, medicamentos, terapia, traitement,
            tratamiento, tratamento, invalidity, diagnosis, dx, condition, conditions, health,
            ailment, ailments, illnesses, medicine, medicines, drugs, drug, therapy, anamnesis,
            injury, health notes, disability, smoking, blood, mrn, medical, medical notes,
            symptome, medications, therapie, behandlung, num historia, nro historia, numero
            historia"""
        ),
        tail_words=words("10 9 code desc description notes id"),
    ),
    Kind(
        "health data",
        TIMES | {"boolean", "binary"},
        tail=phrases(
            """heart rate, heartrate, heart rate bpm, resting heart rate, pulse rate, blood
            pressure, bp systolic, bp diastolic, systolic bp, diastolic bp, systolic, diastolic,
            systolic pressure, diastolic pressure, respiratory rate, respiration rate, body
            temperature, body temp, oxygen saturation, spo 2, blood sugar, blood glucose,
            glucose level, hba 1 c, cholesterol, body mass index, bmi, body fat, body weight,
            body height, creatinine, hemoglobin, apgar score, pain score, phq 9 score,
            gestational age, blutdruck, blutzucker, herzfrequenz, ruhepuls, koerpergewicht,
            koerpergroesse, bloeddruk, hartslag, blodtryck, cisnienie krwi"""
        ),
        head=phrases(
            """pression arterielle, tension arterielle, frequence cardiaque, glycemie, presion
            arterial, frecuencia cardiaca, glucemia, pressao arterial, frequencia cardiaca,
            glicemia, pressione arteriosa, frequenza cardiaca, taux glycemie, peso corporal"""
        ),
        tail_words=words(
            "bpm pct percent kg cm lb lbs mmhg mg dl mmol reading score level avg min max index"
        ),
        in_person_table=phrases("pulse, hr bpm, bp, temp body, glucose"),
    ),
    Kind(
        "special category of personal data",
        TIMES | {"decimal", "float"},
        tail=phrases(
            """asylum grounds, asylum status, refugee status, ethnicity, ethnic group, ethnic
            origin, ethnic background, race ethnicity, racial origin, religion, religious
            belief, religious affiliation, faith, political party, political opinion, political
            affiliation, political view, party affiliation, party membership, sexual
            orientation, sexuality, sexual preference, sex life, gender identity, trade union,
            union member, union membership, trade union membership, criminal record, criminal
            history, conviction, caste, immigration status, philosophical belief, veteran
            status, konfession, religionszugehorigkeit, religionszugehoerigkeit, ethnie,
            herkunft ethnisch, gewerkschaft, gewerkschaftszugehorigkeit, sexuelle orientierung,
            vorstrafen, parteizugehorigkeit, geloofsovertuiging, etniciteit, religia,
            вероисповедание, национальность, racial group, race code, ethnicity code, ethnic
            code, ethnic category, ethnicity desc, religion code, sexual identity, criminal
            convictions, criminal background, criminal offence, criminal offense, offence
            description, offense description, political leaning, political preference, hukou,
            indigenous status, aboriginal status, religioese zugehoerigkeit, ethnische herkunft,
            ethnische zugehoerigkeit, ethnische zugehorigkeit, sexuelle identitaet, sexuelle
            identitat, parteizugehoerigkeit, parteimitgliedschaft, parteibuch,
            gewerkschaftszugehoerigkeit, gewerkschaftsmitglied, gewerkschaftsmitgliedschaft,
            politische meinung, politische einstellung, weltanschauung, fuehrungszeugnis,
            fuhrungszeugnis, kirchensteuermerkmal, godsdienst, etnische afkomst, seksuele
            geaardheid, vakbond, strafblad, politieke voorkeur, etniskt ursprung, sexuell
            laggning, facktillhorighet, wyznanie, pochodzenie etniczne, orientacja seksualna,
            karalnosc, poglady polityczne, convictions, race or ethnicity, ethnicity name,
            ethnic group code, race ethnicity code, race description, race name person, ethnic,
            ethnic group id, ethnic minority, minority status, minority group, tribal
            affiliation, tribe name, indigenous, indigenous identity, aboriginal, religion name,
            religious denomination, religious preference, religious group, religious community,
            creed, church membership, church affiliation, religion id, political beliefs,
            political opinions, political views, political orientation, political stance,
            political membership, party member, party registration, registered party, voting
            preference, vote choice, voting intention, union affiliation, union member flag,
            union status, union code member, labor union, labour union, labor union membership,
            sexual orientation code, sexual orient, sex orientation, lgbt status, lgbtq status,
            lgbtq, gender reassignment, transgender, transgender status, pronouns gender
            identity, philosophical beliefs, belief system, criminal conviction, criminal
            offences, criminal offenses, arrest record, arrest history, police record, felony
            convictions, prior convictions, prior offenses, offence history, offense history,
            asylum status, refugee status, ethnische gruppe, ethnizitaet, ethnizitat, rasse
            person, hautfarbe, glaubensrichtung, glaube, religionsbekenntnis,
            kirchenzugehoerigkeit, kirchenzugehorigkeit, kirchenmitglied, kirchensteuer,
            politische zugehoerigkeit, politische ausrichtung, politische partei,
            parteimitglied, partei mitgliedschaft, gewerkschaftsmitgl, sexuelle ausrichtung,
            geschlechtsidentitaet, geschlechtsidentitat, vorstrafenregister, straftaten,
            verurteilungen, migrationshintergrund, asylstatus, aufenthaltsstatus, afkomst,
            etnische achtergrond, etnische groep, geloof, religie, kerkgenootschap, politieke
            partij, politieke voorkeur code, vakbondslidmaatschap, lid vakbond, seksuele
            orientatie, seksuele voorkeur, genderidentiteit, huidskleur, migratieachtergrond,
            etnicitet, etnisk tillhorighet, religionstillhorighet, trosuppfattning, politisk
            asikt, politisk tillhorighet, fackforening, facklig tillhorighet, fackmedlem,
            fackligt medlemskap, konsidentitet, brottsregister, narodowosc etniczna,
            przynaleznosc etniczna, religijnosc, przynaleznosc partyjna, przynaleznosc
            zwiazkowa, zwiazek zawodowy, tozsamosc plciowa, niekaralnosc, konfe,
            religionsgemeinschaft, glaubensgemeinschaft, religions zugehoerigkeit,
            kirchensteuerpflichtig, konfessionszugehoerigkeit, union code, parti membership,
            kyrkotillhorighet, trossamfund, geloofsgemeenschap, trade union member, labor union
            member, church member, member of union, member of party, political member"""
        ),
        head=phrases(
            """delito, delitos, delito imputado, infraccion penal, casier judiciaire, origine
            ethnique, orientation sexuelle, opinion politique, appartenance syndicale, casier
            judiciaire, origen etnico, orientacion sexual, opinion politica, afiliacion
            sindical, afiliacion politica, antecedentes penales, etnia, religiao, orientacao
            sexual, filiacao partidaria, religione, orientamento sessuale, cor raca, confession
            religieuse, appartenance religieuse, appartenance politique, condamnation penale,
            convictions religieuses, identite de genre, orientation sex, religion profesada,
            creencia religiosa, creencias religiosas, ideologia politica, identidad de genero,
            identidad genero, pertenencia sindical, origen racial, grupo etnico, origem etnica,
            origem racial, opiniao politica, filiacao sindical, filiacao politica, antecedentes
            criminais, crenca religiosa, identidade de genero, identidade genero, credo
            religioso, appartenenza sindacale, appartenenza politica, origine etnica, iscrizione
            sindacale, opinioni politiche, precedenti penali, raca, origine raciale,
            appartenance ethnique, groupe ethnique, religion declaree, croyances religieuses,
            pratique religieuse, opinions politiques, parti politique, affiliation politique,
            affiliation syndicale, adhesion syndicale, preference sexuelle, identite genre,
            antecedents judiciaires, antecedents criminels, condamnations, infractions, statut
            refugie, etnicidad, pueblo indigena, pertenencia etnica, religion, partido politico,
            preferencia politica, opiniones politicas, afiliado preferencia sexual, antecedentes
            judiciales, antecedentes policiales, condenas, estatus migratorio, raca cor, cor
            pele, pertenca etnica, opinioes politicas, orientacao politica, sindicato filiado,
            sindicalizado, preferencia sexual, orient sexual, condenacoes, origine razziale,
            appartenenza etnica, gruppo etnico, fede religiosa, partito politico, preferenza
            politica, iscritto adesione sindacale, orientamento sess, identita di genere,
            casellario giudiziale, condanne penali, condanne"""
        ),
        in_person_table=phrases(
            """race, raza, croyance, raca, ethnie, sindicato, creencias, crenca, ideologia, credo,
            syndicat, denomination, tribe, caste, ethnic group id, political leaning, union,
            union local, union member, partei, partido, parti, partito, glaube, gewerkschaft,
            confession, confession religieuse, sindacato, culto, sect, religious, religion,
            offences, offenses, convictions"""
        ),
        tail_words=words("cd desc descr description ind name source concept other text"),
    ),
    Kind(
        "pay of a person",
        TIMES | {"binary", "boolean"},
        tail=phrases(
            """salary, base salary, annual salary, monthly salary, wage, wages, hourly wage, hourly
            rate, pay rate, net pay, gross pay, take home pay, annual income, household income,
            monthly income, net worth, credit score, gehalt, grundgehalt, jahresgehalt,
            monatsgehalt, lohn, stundenlohn, bruttolohn, nettolohn, bruttogehalt, nettogehalt,
            salaris, brutoloon, loon, palkka, wynagrodzenie, pensja, mzda, fizetes, зарплата,
            оклад, 給与, 工资, salary amount, bonus pay, pay amount, hourly pay, pay per hour,
            overtime pay, net salary, gross salary, current salary, expected salary, desired
            salary, salary expectation, total compensation, annual compensation, base
            compensation, monthly pay, yearly salary, bonuszahlung, jahresbrutto, monatsbrutto,
            jahresverdienst, monatslohn, jahreslohn, einkommen, jahreseinkommen,
            haushaltseinkommen, gehaltsvorstellung, gehaltswunsch, nettoloon, maandloon,
            uurloon, jaarsalaris, maandsalaris, bruto salaris, manadslon, arslon, timlon, placa
            zasadnicza, pensja brutto, zarobki, netto gehalt, brutto gehalt, brutto lohn, netto
            lohn, wynagrodzenie brutto, income annual, personal income, base pay, compensation
            amount, compensation base, compensation rate, comp rate, comprate, annual rt, hourly
            rt, monthly rt, annual pay, weekly pay, weekly wage, monthly wage, daily wage, pay
            per month, salary per month, salary per year, salary month, salary year, basic
            salary, basic pay, gross wage, net wage, gross income, yearly income, family income,
            starting salary, previous salary, last salary, offered salary, salary offer,
            proposed salary, agreed salary, salary expectations, ctc, current ctc, expected ctc,
            bonus amount, annual bonus, bonus paid, commission amount employee, commission
            earned, stock grant, stock options value, severance amount, severance pay, overtime
            amount, allowance amount pay, pension amount, pension salary, total pay, total
            salary, total earnings, gross earnings, net earnings, earnings amount, ytd earnings,
            take home, payslip amount, fico score, fico, credit rating person, lohn brutto, lohn
            netto, monatsgehalt brutto, jahresgehalt brutto, jahreseinkommen brutto, grundlohn,
            stundensatz lohn, verdienst, bruttoverdienst, nettoverdienst, bruttoeinkommen,
            nettoeinkommen, monatseinkommen, verguetung, vergutung, jahresverguetung, praemie
            mitarbeiter, sonderzahlung, tantieme, weihnachtsgeld, urlaubsgeld, gehaltswunsch
            brutto, bruto loon, netto loon, bruto maandloon, brutosalaris, nettosalaris,
            jaarloon, basissalaris, inkomen, jaarinkomen, gezinsinkomen, bonusbedrag, grundlon,
            bruttolon, nettolon, lonebelopp, manadsinkomst, arsinkomst, inkomst, pensja netto,
            pensja podstawowa, wynagrodzenie netto, placa brutto, placa netto, stawka godzinowa,
            dochod, dochod roczny, premia pracownika, schufa score, schufa, credit rating score,
            income per year, income per month, income monthly, income yearly, salary net,
            inkomst per ar, yearly bonus, quarterly bonus, monthly bonus, signing bonus,
            performance bonus, sign on bonus, retention bonus, christmas bonus, yearly pay,
            daily pay, day wage, piece rate, overtime rate, billable rate"""
        ),
        head=phrases(
            """revenu imposable, revenu fiscal, renta imponible, rendimento tributavel, salaire,
            salaire brut, salaire net, remuneration, salario, sueldo, salario bruto, salario
            base, remuneracion, remuneracao, stipendio, retribuzione, salariu, salaire base,
            salaire de base, salaire annuel, salaire mensuel, salaire horaire, net a payer,
            revenu annuel, pretentions salariales, sueldo base, sueldo neto, sueldo bruto,
            salario neto, salario anual, salario mensual, importe nomina, importe neto nomina,
            ingresos anuales, ingreso mensual, ingresos mensuales, salario liquido, salario
            mensal, valor hora trabalhada, renda mensal, renda familiar, pretensao salarial,
            retribuzione lorda, stipendio lordo, stipendio netto, reddito annuo, paga base,
            pretention salariale, pretension salarial, pretensiones salariales, aspiracion
            salarial, pretensoes salariais, pretensao, salaire mensuel brut, salaire annuel
            brut, salaire fixe, salaire variable, montant salaire, taux horaire salaire,
            remuneration brute, remuneration annuelle, revenu mensuel, revenus annuels, revenu
            fiscal, net imposable, prime annuelle, salario mensual bruto, salario diario,
            salario diario integrado, salario por hora, monto salario, importe salario,
            remuneracion mensual, renta mensual, sueldo mensual, sueldo anual, sueldo diario,
            ingreso anual, ingreso familiar, ingresos familiares, valor salario, valor do
            salario, salario mensal bruto, salario hora, salario contratual, vencimento mensal,
            remuneracao mensal, remuneracao bruta, rendimento mensal, rendimento anual, renda
            anual, retribuzione annua, retribuzione mensile, stipendio mensile, stipendio annuo,
            salario lordo, reddito mensile, reddito familiare, importo stipendio, inkomen,
            dochod, renda comprovada, renda bruta, renda liquida, renda declarada, ingresos
            netos, ingresos brutos, ingreso neto, revenus mensuels, revenu net, revenu brut,
            reddito netto, reddito lordo, reddito dichiarato, salaris, wynagrodzenie, pensja,
            loon bruto, loon netto"""
        ),
        in_person_table=phrases(
            """income, pay, rate, base rate, basic rate, standard rate, bonus, commission,
            einkommen, ingresos, renda, plat, lon, maas, vencimento, ordenado, nomina, loon,
            compensation, vencimento base, taux horaire, revenu, revenus, reddito, compenso,
            prime, praemie, pramie, premie, bonus amount, commission pct, tarif horaire,
            gratificacion, subsidio alimentacao, sal, bonificacion, stundensatz, day rate, daily
            rate, monthly rate, annual rate, contract rate, cost rate, bill rate, billing rate,
            basic, gross, net"""
        ),
        tail_words=words(
            """expected desired offered agreed proposed previous amount amt annual cents eur
            gbp gross monthly net usd yearly anual annuel annuelle mensuel mensual mensal
            brutto netto bruto neto lordo liquido hour month year old new current"""
        ),
    ),
)
