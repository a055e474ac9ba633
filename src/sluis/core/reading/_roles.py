"""Parties that stand opposite each other. Data: two words of one line are never the same party.

A word of a role supports only a word of the same role; see ``terms.supported``.
"""

from __future__ import annotations

from types import MappingProxyType

_OPPOSITES = """
nl
huurder huurders huurster hurende huurderspartij / verhuurder verhuurders verhuurster verhurende verhuurderszijde
onderhuurder onderhuurders / onderverhuurder onderverhuurders / hoofdhuurder hoofdhuurders
koper kopers koopster kopende / verkoper verkopers verkoopster verkopende
verzekerde verzekerden / verzekeraar verzekeraars / verzekeringnemer verzekeringnemers / begunstigde begunstigden
werkgever werkgevers werkgeefster / werknemer werknemers werkneemster / inlener inleners / uitzendbureau uitzendbureaus
schuldeiser schuldeisers crediteur crediteuren / schuldenaar schuldenaren debiteur debiteuren
eiser eisers eiseres eiseressen / gedaagde gedaagden gedaagdes
verzoeker verzoekers verzoekster verzoeksters / verweerder verweerders verweerster verweersters
appellant appellanten appellante / geïntimeerde geïntimeerden
opdrachtgever opdrachtgevers opdrachtgeefster / opdrachtnemer opdrachtnemers opdrachtneemster
lener leners leningnemer leningnemers / uitlener uitleners leninggever leninggevers geldgever
pachter pachters / verpachter verpachters
aannemer aannemers / onderaannemer onderaannemers / aanbesteder aanbesteders
leverancier leveranciers / afnemer afnemers
licentiegever licentiegevers / licentienemer licentienemers
franchisegever franchisegevers / franchisenemer franchisenemers
verwerker verwerkers / verwerkingsverantwoordelijke verwerkingsverantwoordelijken / betrokkene betrokkenen
bewaarnemer bewaarnemers / bewaargever bewaargevers
lastgever lastgevers / lasthebber lasthebbers
erflater erflaters / erfgenaam erfgenamen / legataris legatarissen
schenker schenkers / begiftigde begiftigden
patiënt patiënten / zorgverlener zorgverleners hulpverlener hulpverleners / zorgverzekeraar zorgverzekeraars
consument consumenten / ondernemer ondernemers handelaar handelaars handelaren
bestuurder bestuurders / aandeelhouder aandeelhouders / commissaris commissarissen
vervoerder vervoerders / afzender afzenders / geadresseerde geadresseerden
reiziger reizigers / reisorganisator reisorganisatoren
officier officieren / verdachte verdachten / benadeelde benadeelden slachtoffer slachtoffers
rechtbank rechtbanken / gerechtshof hof hoven
lessor lessors verhurend / lessee lessees
vader vaders / moeder moeders
man echtgenoot / vrouw echtgenote
minderjarige minderjarigen / meerderjarige meerderjarigen
bank banken / rekeninghouder rekeninghouders
beheerder beheerders / eigenaar eigenaren eigenaars
bewindvoerder bewindvoerders / rechthebbende rechthebbenden
curator curatoren / gefailleerde gefailleerden
vergunninghouder vergunninghouders / bezwaarmaker bezwaarmakers
school scholen / leerling leerlingen student studenten
en
landlord landlords lessor lessors / tenant tenants lessee lessees
buyer buyers purchaser purchasers / seller sellers vendor vendors
insured insureds / insurer insurers / policyholder policyholders / beneficiary beneficiaries
employer employers / employee employees worker workers
creditor creditors / debtor debtors
claimant claimants plaintiff plaintiffs / defendant defendants
appellant appellants / respondent respondents
client clients / contractor contractors / subcontractor subcontractors
lender lenders / borrower borrowers
licensor licensors / licensee licensees
franchisor franchisors / franchisee franchisees
processor processors / controller controllers
consumer consumers / trader traders
supplier suppliers / customer customers
principal principals / agent agents
director directors / shareholder shareholders
carrier carriers / shipper shippers / consignee consignees
donor donors / donee donees
trustee trustees / settlor settlors
patient patients / physician physicians doctor doctors
assignor assignors / assignee assignees
mother mothers / father fathers
bank banks / account-holder
"""


def _read() -> dict[str, dict[str, tuple[int, int]]]:
    read: dict[str, dict[str, tuple[int, int]]] = {}
    current: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(_OPPOSITES.strip().splitlines()):
        if line in ("nl", "en"):
            current = read.setdefault(line, {})
            continue
        for side, words in enumerate(line.split("/")):
            for word in words.split():
                current.setdefault(word, (number, side))
    return read


ROLES = MappingProxyType(_read())
"""By language: a word in lower case to ``(line, side)``; equal pairs are one role, equal lines opposite ones."""
