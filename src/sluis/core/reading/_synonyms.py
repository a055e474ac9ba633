"""Words that may stand for each other in a claim and its source. Data: a line is one meaning.

Only words whose exchange changes no fact stand here; where the law gives two words two meanings they do not
(``ontbinding`` and ``opzegging``, ``boete`` and ``schadevergoeding``, ``huur`` and ``pacht``).
"""

from __future__ import annotations

from types import MappingProxyType

_GROUPS = """
nl
betalen betaalt betaald betaling voldoen voldoening afdragen uitbetalen uitbetaling uitkeren uitkering
terugbetalen terugbetaling terugbetaald terugstorten restitueren restitutie teruggeven terug
kosten uitgaven onkosten
einde beëindigen beëindiging eindigen eindigt afloop aflopen
begin aanvang beginnen aanvangen start starten ingaan ingang
verlengen verlenging verlengd voortzetten voortzetting voortgezet
schriftelijk brief schrift
e-mail mail email
melden melding gemeld meldt mededelen mededeling meedelen doorgeven berichten bericht kennisgeving informeren
vragen verzoeken verzoek verzocht verzoekt vraagt aanvragen aanvraag
toestemming goedkeuring instemming akkoord
overeenkomst contract overeenkomsten contracten
waarborgsom borg borgsom
woning huis woonruimte huurwoning
pand gebouw
auto voertuig personenauto motorrijtuig
verbieden verboden verbod
nodig noodzakelijk vereist
verschuldigd schuldig
vergoeden vergoeding vergoed vergoedt schadeloosstelling
gebrek gebreken tekortkoming tekortkomingen mankement mankementen
herstellen herstel repareren reparatie reparaties
opzeggen opzegging opgezegd opzegt opzegtermijn
ontslaan ontslag ontslagen
loon salaris
woensdag woensdagen
rechter kantonrechter rechtbank
beroep hoger-beroep appel
indienen ingediend indiening instellen ingesteld
starten gestart aanvangen
leveren levering geleverd bezorgen bezorging
verkrijgen verkrijgt verkregen verwerven verwerft
ouder ouders
kind kinderen
klacht klachten
bewaren bewaart bewaard bewaartermijn opslaan
verwijderen verwijdering verwijderd wissen wist gewist
klant klanten cliënt cliënten
polis verzekeringspolis
premie verzekeringspremie
eigen-risico eigenrisico
schade schades
ongeval ongeluk ongevallen
diefstal gestolen stelen
dekken dekking gedekt dekt verzekerd
aansprakelijk aansprakelijkheid
rente interest
aflossen aflossing afgelost
lening krediet geldlening
korting reductie
factuur rekening facturen nota
bestelling order bestellen besteld
retourneren retour retourzending terugzenden terugsturen
ruilen omruilen
garantie garantietermijn
opening geopend openingstijden
bereikbaar bereikbaarheid bereiken
geheim geheimhouding vertrouwelijk vertrouwelijkheid
overmacht force-majeure
eigendom eigenaar
erfenis nalatenschap
alimentatie onderhoudsbijdrage
bezwaar bezwaarschrift
besluit beschikking
gemeente college
belasting belastingen heffing
boete boetes geldboete
toezicht toezichthouder
jaarlijks jaarlijkse
maandelijks maandelijkse
wekelijks wekelijkse
volledig volledige compleet complete
gedeeltelijk gedeeltelijke deels
kosteloos gratis
onmiddellijk meteen terstond
bevestigen bevestiging bevestigd bevestigt
verlaten vertrek vertrekken
verhogen verhoging verhoogd
verlagen verlaging verlaagd verminderen vermindering
overlijden overlijdt overleden dood
huwelijk getrouwd trouwen
verhuizen verhuizing
en
pay pays paid payment settle settlement
refund refunds refunded repay repayment repaid reimburse reimbursement return returned
cost costs expense expenses
end ends ended terminate terminates termination expire expires expiry
begin begins start starts commence commences commencement
extend extension renew renewal
written writing
notify notifies notification notice inform
request requests requested ask
consent approval agreement permission
contract agreement
deposit security-deposit
dwelling house home
car vehicle
necessary required
owed due owing payable
compensate compensation indemnify
defect defects fault faults
repair repairs fix
dismiss dismissal
wage wages salary
deliver delivery delivered ship shipping shipped
obtain obtains acquire acquires
child children
complaint complaints
store stored retain retained retention keep
delete deletion deleted erase erased erasure
policy policies
premium premiums
damage damages loss
accident accidents
theft stolen steal
cover covered coverage covers
liable liability
interest
loan credit
discount reduction
invoice bill invoices
order orders
warranty guarantee
confidential confidentiality secret secrecy
annual annually yearly
monthly month
weekly week
complete completely full fully
free
immediately promptly
confirm confirmation confirmed
increase increased raise
reduce reduced reduction lower
death dies deceased
objection object objections
decision
tax taxes
fine fines penalty penalties
"""


def _read() -> dict[str, dict[str, frozenset[str]]]:
    read: dict[str, dict[str, frozenset[str]]] = {}
    current: dict[str, frozenset[str]] = {}
    for line in _GROUPS.strip().splitlines():
        if line in ("nl", "en"):
            current = read.setdefault(line, {})
            continue
        group = frozenset(line.split())
        for word in group:
            current[word] = current.get(word, frozenset()) | group
    return read


SYNONYMS = MappingProxyType(_read())
"""By language: a word in lower case to all words of its lines."""
