"""Words for what the law calls special, and for pay, in a dozen languages."""

from __future__ import annotations

from pipeline.profile.kinds import TIMES, Kind, phrases, words

SPECIAL = (
    Kind(
        "health data",
        TIMES | {"boolean", "decimal", "float"},
        tail=phrases(
            """icd, icd code, icd 10, icd 9, diagnosis, diagnoses, diagnosis code,
            diagnosis text, medication, medications, prescription, allergy, allergies,
            blood type, blood group, disability, hiv status, disease, symptoms, symptom,
            illness, medical history, medical condition, medical record number, medical
            record no, mrn, health condition, health insurance number, insurance number,
            insurance policy number, patient number, vaccination status, pregnancy
            status, mental health, chief complaint, lab result, genetic data, genotype,
            dna sequence, krankheit, krankenkasse, krankenversicherung,
            krankenversicherungsnummer, versichertennummer, blutgruppe, behinderung,
            allergie, allergien, medikament, medikamente, befund, bloedgroep, ziekte,
            diagnos, sjukdom, diagnoza, choroba, диагноз, группа крови, 病历, diagnose,
            diagnostico, disability status, disability type, disabilities, handicap
            status, health insurance no, health insurance id, health insurance member
            id, health plan member id, insurance member id, medical record, medical
            notes, medical conditions, clinical notes, med record no, prescription text,
            test result hiv, covid status, covid 19 status, vaccination, vaccinations,
            immunization, immunizations, vaccine status, vorerkrankungen, vorerkrankung,
            medikation, krankheiten, krankheitsbild, krankengeschichte, anamnese,
            befundtext, schwerbehinderung, behinderungsgrad, grad der behinderung,
            impfstatus, schwangerschaft, krankheitsgrund, zwangerschap, medicatie,
            aandoening, allergieen, medicijnen, sjukdomar, blodgrupp, allergier, grupa
            krwi, alergie, niepelnosprawnosc, leki, genome, sick leave reason, sickness
            reason, illness reason, substance use, smoking status, alcohol use, hiv, sti
            status"""
        ),
        head=phrases(
            """diagnostic medical, diagnostico medico, groupe sanguin, grupo sanguineo,
            tipo sangre, tipo sanguineo, maladie, enfermedad, doenca, discapacidad,
            deficiencia, alergia, alergias, antecedents medicaux, historial medico,
            gruppo sanguigno, malattia, diagnosi, assurance maladie, diagnostico,
            diagnostic principal, diagnostico principal, diagnostics, traitement
            medical, traitement en cours, etat sante, etat de sante, maladies,
            grossesse, allergies, numero mutuelle, motif consultation, sintomas,
            sintoma, symptomes, enfermedades, tratamiento medico, estado salud, estado
            de salud, historia clinica, numero historia clinica, discapacidades,
            embarazo, medicacion, grado discapacidad, historico medico, estado saude,
            estado de saude, doencas, deficiencias, tratamento medico, gravidez,
            medicacao, prontuario, numero prontuario, malattie, allergie, stato salute,
            disabilita, cartella clinica, gruppo sangue, invalidita, antecedentes
            familiares, antecedentes personales, antecedentes medicos, antecedents
            familiaux, antecedentes pessoais, laudo medico, laudo, motivo consulta,
            motivo de consulta, tp sanguineo, tp sangre, tipo de sangre, tipo de sangue,
            cid 10, cie 10"""
        ),
        in_person_table=phrases(
            """health status, diagnostico, diagnose, handicap, treatment notes, diagnostic,
            antecedents, treatment, symptoms, pregnant, smoker, bmi, dna, lab results,
            medicamento, medicamentos, terapia, traitement, tratamiento, tratamento,
            invalidity"""
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
            party affiliation, party membership, sexual orientation, sexuality, sexual
            preference, sex life, gender identity, trade union, union member, union
            membership, trade union membership, criminal record, criminal history,
            conviction, caste, immigration status, philosophical belief, veteran status,
            konfession, religionszugehorigkeit, religionszugehoerigkeit, ethnie,
            herkunft ethnisch, gewerkschaft, gewerkschaftszugehorigkeit, sexuelle
            orientierung, vorstrafen, parteizugehorigkeit, geloofsovertuiging,
            etniciteit, religia, вероисповедание, национальность, racial group, race
            code, ethnicity code, ethnic code, ethnic category, ethnicity desc, religion
            code, sexual identity, criminal convictions, criminal background, criminal
            offence, criminal offense, political leaning, political preference, hukou,
            indigenous status, aboriginal status, religioese zugehoerigkeit, ethnische
            herkunft, ethnische zugehoerigkeit, ethnische zugehorigkeit, sexuelle
            identitaet, sexuelle identitat, parteizugehoerigkeit, parteimitgliedschaft,
            parteibuch, gewerkschaftszugehoerigkeit, gewerkschaftsmitglied,
            gewerkschaftsmitgliedschaft, politische meinung, politische einstellung,
            weltanschauung, fuehrungszeugnis, fuhrungszeugnis, kirchensteuermerkmal,
            godsdienst, etnische afkomst, seksuele geaardheid, vakbond, strafblad,
            politieke voorkeur, etniskt ursprung, sexuell laggning, facktillhorighet,
            wyznanie, pochodzenie etniczne, orientacja seksualna, karalnosc, poglady
            polityczne, convictions"""
        ),
        head=phrases(
            """origine ethnique, orientation sexuelle, opinion politique, appartenance
            syndicale, casier judiciaire, origen etnico, orientacion sexual, opinion
            politica, afiliacion sindical, afiliacion politica, antecedentes penales,
            etnia, religiao, orientacao sexual, filiacao partidaria, religione,
            orientamento sessuale, cor raca, confession religieuse, appartenance
            religieuse, appartenance politique, condamnation penale, convictions
            religieuses, identite de genre, orientation sex, religion profesada,
            creencia religiosa, creencias religiosas, ideologia politica, identidad de
            genero, identidad genero, pertenencia sindical, origen racial, grupo etnico,
            origem etnica, origem racial, opiniao politica, filiacao sindical, filiacao
            politica, antecedentes criminais, crenca religiosa, identidade de genero,
            identidade genero, credo religioso, appartenenza sindacale, appartenenza
            politica, origine etnica, iscrizione sindacale, opinioni politiche,
            precedenti penali, raca"""
        ),
        in_person_table=phrases(
            """race, raza, croyance, raca, ethnie, sindicato, creencias, crenca, ideologia,
            credo, syndicat, denomination, tribe, caste"""
        ),
    ),
    Kind(
        "pay of a person",
        TIMES | {"binary", "boolean"},
        tail=phrases(
            """salary, base salary, annual salary, monthly salary, wage, wages, hourly
            wage, hourly rate, pay rate, net pay, gross pay, take home pay, annual
            income, household income, monthly income, net worth, credit score, gehalt,
            grundgehalt, jahresgehalt, monatsgehalt, lohn, stundenlohn, bruttolohn,
            nettolohn, bruttogehalt, nettogehalt, salaris, brutoloon, loon, palkka,
            wynagrodzenie, pensja, mzda, fizetes, зарплата, оклад, 給与, 工资, salary
            amount, bonus pay, pay amount, hourly pay, pay per hour, overtime pay, net
            salary, gross salary, current salary, expected salary, desired salary,
            salary expectation, total compensation, annual compensation, base
            compensation, monthly pay, yearly salary, bonuszahlung, jahresbrutto,
            monatsbrutto, jahresverdienst, monatslohn, jahreslohn, einkommen,
            jahreseinkommen, haushaltseinkommen, gehaltsvorstellung, gehaltswunsch,
            nettoloon, maandloon, uurloon, jaarsalaris, maandsalaris, bruto salaris,
            manadslon, arslon, timlon, placa zasadnicza, pensja brutto, zarobki, netto
            gehalt, brutto gehalt, brutto lohn, netto lohn, wynagrodzenie brutto, income
            annual, personal income, base pay"""
        ),
        head=phrases(
            """salaire, salaire brut, salaire net, remuneration, salario, sueldo, salario
            bruto, salario base, remuneracion, remuneracao, stipendio, retribuzione,
            salariu, salaire base, salaire de base, salaire annuel, salaire mensuel,
            salaire horaire, net a payer, revenu annuel, pretentions salariales, sueldo
            base, sueldo neto, sueldo bruto, salario neto, salario anual, salario
            mensual, importe nomina, importe neto nomina, ingresos anuales, ingreso
            mensual, ingresos mensuales, salario liquido, salario mensal, valor hora
            trabalhada, renda mensal, renda familiar, pretensao salarial, retribuzione
            lorda, stipendio lordo, stipendio netto, reddito annuo, paga base,
            pretention salariale, pretension salarial, pretensiones salariales,
            aspiracion salarial, pretensoes salariais, pretensao"""
        ),
        in_person_table=phrases(
            """income, pay, rate, bonus, commission, einkommen, ingresos, renda, plat, lon,
            maas, vencimento, ordenado, nomina, loon, compensation, vencimento base,
            taux horaire, revenu, revenus, reddito, compenso, prime, praemie, pramie,
            premie, bonus amount, commission pct, tarif horaire, gratificacion, subsidio
            alimentacao, sal, bonificacion, stundensatz"""
        ),
        tail_words=words(
            """amount amt annual cents eur gbp gross monthly net usd yearly anual annuel
            annuelle mensuel mensual mensal brutto netto bruto neto lordo liquido hour
            month year old new current"""
        ),
    ),
)
