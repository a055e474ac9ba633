"""Words that do not tell one statement from another: function words, general verbs, nouns of the trade. Data.

A claim may use any of these without its source doing so. What carries a meaning of its own for the checks stands
elsewhere: negations, exceptions, duties and permissions (:mod:`._polar_words`), roles (:mod:`._roles`), numbers.
"""

from __future__ import annotations

from ._chars import word_set

_NL = word_set(
    """
    aan aangaande aangezien aanstonds achter af al aldaar aldus alle alleen allemaal alles als alsdan alsmede alsnog
    alsof alsook althans altijd ander andere anderen anders andersom
    bedoeld bedoelde ben bent beide beiden bepaalde betreffende bij bijgevolg bijvoorbeeld binnen bovendien bovengenoemd
    daar daaraan daarbij daardoor daarin daarmee daarna daarnaast daarom daaronder daarop daarover daartegen daartoe
    daaruit daarvan daarvoor dan dat datgene dus de degene degenen der derhalve des deze dezelfde die dien diens dienst
    dienaangaande dienovereenkomstig dit doch doen doet doe deed deden gedaan door doordat doorgaans dusdanig
    echter een eender eenmaal eens één er eraan erbij erdoor erin ermee ernaar erom erop erover eruit ervan ervoor
    eventueel eventuele even evenals evenmin evenzeer
    gaan gaat ging gingen gegaan ga gehele geheel gelijk genaamd genoemd genoemde gewoon gewoonlijk
    had hadden heb hebben hebt heeft gehad haar hare hem hen het hetgeen hetzelfde hier hierbij hierdoor hierin hiermee
    hierna hierom hieronder hierop hierover hiertoe hieruit hiervan hiervoor hij hoe hoewel hun
    ieder iedere iedereen iemand iets ik in inclusief indien ingevolge inzake is
    ja je jegens jij jou jouw jullie
    kader kon konden
    lang langs liet lieten
    maar maken maakt maakte maakten gemaakt maak me mede mee meer meerdere meest meestal men met middels mij mijn
    moge mogelijk mogelijke
    na naar naargelang naartoe naast nadat namelijk nader nadere nadien nagenoeg namens natuurlijk nog nu
    of ofwel om omdat omtrent omstreeks ondanks ondertussen onder onderhavige onderscheidenlijk ons onze
    ook op opdat opnieuw over overeenkomstig overig overige overigens
    partijen partij per plaats precies
    reeds respectievelijk resp rond rondom
    samen sedert sinds slechts sommige soms steeds
    te tegen tegenover telkens ten ter terwijl teneinde terzake tevens tijdens toch toe toen tot totdat tussen
    u uit uiteindelijk uitsluitend ut uw
    vaak vaker van vanaf vandaag vanuit vanwege veel vele ver verder verschillende via vindt vinden vond vonden gevonden
    volgens volgend volgende voor vooraf vooral voordat voorheen voorts voorzover voorzien vrij
    waar waaraan waarbij waardoor waarin waarmee waarna waarnaar waarom waaronder waarop waarover waartoe waaruit
    waarvan waarvoor wanneer want waren was wat we weer weg wegens wel weliswaar welk welke wellicht werd werden wie
    wier wiens wij wijze wil wilde word worden wordt geworden
    zal ze zeer zeker zelf zelfs zich zichzelf zij zijn zijne zo zodanig zodanige zodat zodoende zodra zoals zou
    zouden zulk zulke zullen zult zekere
    gelden geldt gold golden gegolden geldend geldende bedragen bedraagt bedroeg bedroegen belopen beloopt betreffen
    betreft betrof houden houdt hield gehouden inhouden inhoudt staan staat stond stonden gestaan stellen stelt stelde
    gesteld bepalen bepaalt bepaalde bepaald bepaling bepalingen volgt volgen volgde blijken blijkt bleek gebleken
    luiden luidt luidde luid liggen ligt lag lagen komen komt kwam kwamen gekomen krijgen krijgt kreeg kregen
    gekregen ontvangen ontvangt ontving geven geeft gaf gaven gegeven nemen neemt nam genomen zien ziet zag gezien
    noemen noemt noemde vermelden vermeldt vermeld vermelde opnemen opgenomen neergelegd vastgelegd vaststellen
    vastgesteld vaststelt beschrijven beschrijft beschreven zeggen zegt zei gezegd oordelen oordeelt oordeelde
    geoordeeld overwegen overweegt overwoog overwogen uitmaken behoren behoort hoort horen zorgen zorgt brengen brengt
    betalen betaalt betaald betaalde betaling
    duren duurt duurde gebruiken gebruikt voldoen voldoet voldaan toepassing toepassen toepasselijk vereist vereisen
    regelen regelt geregeld gebeuren gebeurt gebeurd vinden plaatsvinden plaatsvindt voorwaarde
    artikel artikelen art lid leden onder onderdeel sub aanhef letter bijlage paragraaf hoofdstuk afdeling titel boek
    clausule wet wetten wettelijk wettelijke regeling regel regels besluit bron bronnen tekst stuk document documenten
    passage uitspraak uitspraken vonnis arrest rechtsoverweging overweging ecli
    geval gevallen grond gronden situatie zaak zaken vraag vragen antwoord antwoorden gevolg gevolgen wijze manier
    soort vorm omvang hoogte aantal bedrag bedragen som totaal totale maximum minimum maximale minimale maximaal
    minimaal datum tijd tijdstip periode duur moment termijn termijnen deel delen gedeelte rest hoofdregel
    uitgangspunt punt reden feit basis verband betrekking kant zijde persoon personen eigen enig enige elke elk
    eerder eerdere later latere laatste laatst vorige nieuw nieuwe oud oude groot grote klein kleine hoog hoge laag
    lage lange kort korte gelijke bepaald concreet concrete algemeen algemene bijzonder bijzondere zogenaamde
    huidig huidige tijdig tijdige direct directe meteen onmiddellijk namelijk kortom samengevat conclusie dag dagen week
    weken maand maanden jaar jaren uur uren werkdag werkdagen kalenderdag kalenderdagen euro procent keer maal
    zie zo lees let wel vergelijk oftewel immers althans namelijk hetwelk hoofdzakelijk
    vriendelijke groet hoogachtend geachte beste heer mevrouw
    """
)
_EN = word_set(
    """
    a about above according accordance accordingly additional additionally after again against ago all already also
    although always am among amongst an and another any anybody anyone anything apply applies applied are around as
    at based basis be because been before being below beside between beyond both but by
    came case cases come comes concerning consequently consist consists contain contains contained
    day days describe described describes determine determined determines did do does doing done due during duration
    each either else end entire equal etc even event ever every everyone everything exactly
    fact far few final find finds first follow following follows for former forth found from full further furthermore
    gave general generally get gets give given gives go goes got
    had has have having he hence her here hereby herein hereof hereto hereunder hers herself high highest him himself
    his how however
    i if immediate immediately in include included includes including indeed inside instead into is it its itself
    just keep kept kind last late later latter laid law laws lay least legal let lie lies like likely long low made
    main make makes making many matter matters me mean means meant mention mentioned mentions might mine moment month
    months moreover most mostly much my myself
    namely near new next nor notwithstanding now number
    occur occurs of off often old on once one ones only onto or order other others otherwise our ours ourselves out
    outside over overall own
    paragraph paragraphs part parts particular particularly parties party per period periods person persons place
    point points previous previously prior provide provided provides provision provisions pursuant put
    quite rather reason reasons received receive receives regard regarding related relates relating relevant remain
    remains respect respective respectively result results right rule ruled rules ruling same say says said section
    sections see seen sentence set sets several she should show shown shows similar simply since so some somebody
    someone something sometimes soon specific specified specifies stand stands state stated states still subject such
    sum sums
    take taken takes term terms text than that the their theirs them themselves then there thereafter thereby therefore
    therein thereof these they thing things this those though through throughout thus time timely times to together
    too total toward towards type under unless until up upon us use used uses using usually
    pay pays paid payment
    various very via was way ways we week weeks well went were what whatever when whenever where whereas whereby
    wherein whether which whichever while who whoever whole whom whose why will with within would year years yes yet
    you your yours yourself hour hours working business calendar
    article articles clause clauses subsection annex chapter title book act statute court decision judgment source
    sources document documents passage answer question amount amounts maximum minimum date situation consequence
    consequences manner extent conclusion summary
    likewise see compare note also thereby hence whereof
    percent euro euros dollar dollars pounds
    dear sir madam kind regards sincerely faithfully
    """
)

COMMON = {"nl": _NL, "en": _EN}
"""By language."""
