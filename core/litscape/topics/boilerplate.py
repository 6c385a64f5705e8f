"""Words that name no topic: academic boilerplate of several languages, notices, leftovers."""

from __future__ import annotations

from litscape.languages import SMALL_WORDS
from litscape.search.stopwords import GENERAL_WORDS, STOP_WORDS

_ACADEMIC = """
    abstract accuracy accurate acknowledgement acknowledgements additive adoption affect
    affected affecting additional ahead al automatic automatically algorithm algorithms analysis
    answer answers application applications architecture architectures aspect associated
    association associations assessing assessment attention baseline baselines behaviour
    behavior benchmark benchmarks benefit benefits better big binary bound bounds background
    budget capture captured captures capturing category categories chapter characteristic
    characteristics characterize class classes code codes collected collection combination
    community comparative comparable competitive component components computation computational
    compute computed computing conclusion conclusions condition conditions conference
    considerations construct constructed construction content context contexts continue
    continues control controlled cover covers crucially data dataset datasets decrease decreased
    define defined definition definitions degree degrees deliver demonstrating derive derived
    design designed designing designs detect detected development developments device devices
    discover discovered discovery diverse domain domains edition editor editors effect elsevier
    email empirical empirically engineering entire environment environments equal error errors
    estimate estimated estimates estimation evaluations event events expert experts explore
    expression extra extract extracted extracting fax feature features field figure figures fig
    finally finding findings fewer flexible foundation framework frameworks frequency frequent
    frequently function functions future generate generated generates generating generation
    global grade grades guarantee guarantees guidance guideline guidelines half hand http https
    human humans hypothesis hypotheses ieee impact implementation implementations implication
    implications improvement incorporate incorporated incorporates incorporating independently
    indicator indicators inference information input inputs institution integrate integrated
    integrates integrating integration intelligence international interpretation introduction
    inc isbn issn item items iteration iterations joint jointly journal knowledge label labels
    labelled labeled latest layer layers learn learned learning learns letter letters library
    license licence literature local ltd machine magnitude majority manuscript manual mechanism
    mechanisms meta meta-analysis metric metrics min minimal minimize minimum model modeled
    modelled modeling modelling models modern modification monitoring motivated motivation
    national necessity network networks neural notion notions objective objectives object
    objects observation observations operation operations opportunity opportunities optimal org
    organization output outputs page participant participants patient patients percent
    percentage phase phenomenon phenomena platform point points population preliminary press
    presence pretrained probability process processed processes processing product products
    program programs progress project projects proceeding proceedings protocol prospective
    provision publication publications publisher pubmed quality quantitative qualitative
    quantify question questions random randomly randomised randomized ratio recognize
    recommendation recommendations record records reference references region regions
    representation representations representative reproduce reproducible request requests
    reserved resource resources respondents response retrospective rights sample samples
    sampling scientific score scores section sections sensitivity sequence sequences series
    service services show signal site sites software source sources space spaces specificity
    springer springer-verlag statistical statistically statistic statistics structure structured
    structures subset success supplementary survey surveys synthesis target targets taylor
    francis wiley blackwell technical technology technologies tell text texts theory theories
    tool tools topic topics toward trade-off trade-offs train trained training transform trial
    trials true update updated usa user users variable variables variation variations variant
    variants versus volume vs week weeks www year month months day days hour hours copyright
    licensee mdpi doi arxiv preprint article articles state-of-the-art sota university
    department author authors published thesis dissertation mm hg pre post undergoing underwent
    mg kg ml dose doses ci p-value mean sd odds hazard confidence interval intervals follow-up
    baseline-adjusted placebo-controlled double-blind group-level non well-known so-called
    real-world large-scale end-to-end code-available github open-source publicly available
    release released releasing paper-we aim goal intriguing remarkable extensive promising lt gt
    amp quot nbsp sub sup mathbb mathcal mathbf mathrm frac sqrt alpha beta gamma delta epsilon
    lambda high-level high-quality low-level natural language languages nlp deep linear sigma
    theta cdot leq geq textbf textit emph cite ref begin end equation infty kg-1 min-1 ml-1
    curve maintain maintaining maintained dealing ensure ensures ensuring change changes
    changing ask enabling theoretical assumption assumptions parameter parameters aiming
    microgram micrograms milligram milligrams gram grams litre litres liter liters millilitre
    millilitres milliliter milliliters followup ranged ranging
"""
_OTHER_LANGUAGES = """
    artikel aufsatz ergebnis ergebnisse untersuchung untersuchungen studie studien analyse
    analysen methode methoden ansatz ansätze beitrag arbeit einleitung zusammenfassung vergleich
    entwicklung bewertung grundlagen aktuelle neue neuer neues ihre ihrer seine wird werden
    wurde wurden sind ist war kann können sich nicht auch es sie er wir dass dieser diese dieses
    am vom beim anhand sowohl étude études résultat résultats méthode méthodes approche
    approches article travail évaluation comparaison développement nouvelle nouveau nouveaux est
    sont cette ces ce qui que nous été être ont plus leur leurs ses son sa estudio estudios
    resultado resultados método métodos enfoque artículo trabajo evaluación comparación
    desarrollo nueva nuevo nuevos este esta estos estas se su sus más como fue fueron han ha lo
    al estudo estudos trabalho avaliação comparação desenvolvimento nova novo são foi foram mais
    ao aos à pela pelo não studio studi risultati metodo metodi articolo valutazione confronto
    sviluppo nuovo nuova sono è che della dello degli alla alle più onderzoek resultaten nieuwe
    zijn werd worden deze dit aan om ook niet badanie badania wyniki metoda analiza ocena nowe
    się jest są na do de d des cet aux ou où par pas comme entre sans sous chez dont notre nos
    lors afin ainsi aussi donc très tout tous toute toutes autre autres même mêmes présentons
    présente présentés proposons montrons montre permet utilisation utilisant utilisés basé
    basée il ils elle elles on y en si auf durch über unter zwischen sowie mittels eines einem
    einen dazu dabei hierbei zeigt zeigen vorgestellt verwendet verschiedene verschiedenen desde
    hasta cada donde cuando también muy presenta presentamos mediante utilizando basado basada
    tra fra anche quale quali ogni presentiamo utilizzo basato basata sobre seus suas apresenta
    baseado baseada door tussen onder wordt gebruikt och för att är inte detta untersucht
    untersuchen untersuchte betrachtet beschreibt beschrieben gezeigt vorgeschlagen entwickelt
    erlaubt ermöglicht basiert basierend beruht hängt abhängt gut hohe hoher große großer
    verfahren bereich einsatz verwendung anwendung anwendungen bedeutung rolle einfluss bons
    bonne bon étudié étudions analysons dépend rôle application applications traitement
    automatique estudia estudiamos análisis papel aplicación aplicaciones buenos studiato
    analizza analisi ruolo applicazione
    au com em um uma por dos das nos nas pelos pelas isso este estas como mas foi sem ser
    yang dan di dari untuk dengan pada dalam ini itu adalah sebagai oleh terhadap secara
    penelitian hasil tidak juga akan telah dapat lebih antara serta bahwa tersebut kepada
    ve bir bu ile için olarak olan göre daha çok gibi kadar çalışma çalışmada araştırma
"""
_JOINING = """
    natural large time real long short low high open zero system systems type value support
    scale free small cost rate rates term multiple single side effects effect position testing
    factor factors early primary major range common start level relation relations face
    reduction direct pose central partial form line stage weak fact search view match user usage
    ways special standard step functional fast selected choice second third
"""
_NOTICES = """
    copyright elsevier springer springer-verlag wiley blackwell licensee mdpi publisher
    publishers ltd inc rights reserved licence license isbn issn doi preprint http https www
    ieee pubmed mathbb mathcal mathbf mathrm frac sqrt cdot leq geq text textbf textit emph
    infty nbsp quot amp lt gt dataset datasets baseline baselines sota state-of-the-art github
    background objective objectives conclusion conclusions participants paper papers across
    first unseen leverage leverages leveraging surpass surpasses surpassing facilitate
    facilitates scattered ability abilities amount amounts effort efforts mostly everyday
    without etc judges prefer remains remain capable capability capabilities toward towards york
    respectively versus vs moreover aims significantly namely
"""
_SMALL = """
    whereas whilst wherein whereby whereof whereupon thereof therein thereto therefrom thereafter
    thereon herein hereby hereof hereinafter said every everything everyone everybody something
    someone anything anyone nothing nobody none behind beside besides beyond beneath among amongst
    around alongside amid inside outside onto unto upon near throughout within without despite
    regarding concerning according accordingly instead else elsewhere otherwise still always
    sometimes somewhat rather nearly almost hardly likewise meanwhile nonetheless nevertheless hence
    whose whom whichever whatever whenever wherever anyhow anyway apart aside away back soon again
    already yet ago since until till one two three four five six seven eight nine ten eleven twelve
    twenty thirty forty fifty hundred thousand million billion dozen handful plurality
    must shall should could would might ought cannot
    microg mcg µg μg ng pg mg kg dl ml mmol nmol pmol µmol μmol mmhg bpm cm mm nm µm μm km khz mhz
    ghz hz kpa mpa rpm kcal kj mv kv ppm ppb wt vol viz et al ibid cf eds vols pp
    made makes making passes passed looks looking shed sheds helps keeps grows emerging
    emerges paired pays turns remaining attempts attempted exceeds whereof
    invention inventions embodiment embodiments comprise comprises comprising
"""
_VERBS = """
    accept accompany accumulate acquire agree allocate alter arise arrange arrive ask aspire
    assert assure attain attract become begin behave believe belong carry cease cite clarify
    come commence commit compose conceive concern configure confirm connote constitute
    correspond create deal decide dedicate deem depend depict descend dispose distinguish do
    elicit elucidate emphasise emphasize enrol enroll ensure entail enter envisage eradicate
    exceed excite exemplify exhibit extend find foster gather get go happen hinder
    illuminate illustrate imagine incur indicate infer insist inspect intend introduce invoke
    involve justify lack leave let lose make notice obey obtain occur owe perceive persist
    pertain possess postulate precede presume pretend proceed prohibit provide pursue put
    quantify reach realize receive recur refer rely remain render reside resort resume reveal
    scrutinize seek seem struggle succeed suppose surpass sustain take tell tend try undergo
    underlie undertake unveil utter vary withdraw
"""
_ENDING = """
    test tests task tasks problem problems procedure procedures set sets setting settings method
    methods technique techniques strategy strategies stage stages state states property properties
    performance outcome outcomes size sizes level levels group groups length measure measures
    principle principles requirement requirements scan scans scenario scenarios version view word
    words world time times pair pairs order name place challenge dataset datasets concept area areas
    practice practices program programme index work works year years
"""
_HUMANITIES = """
    essay essays book books monograph volume volumes scholar scholars scholarship century centuries
    contemporary debate debates perspective perspectives reader readers reading readings
    nineteenth twentieth eighteenth seventeenth sixteenth fifteenth paragraph historian historians
    reflection reflections rethinking revisited revisiting
"""
_CLINICAL = """
    anti multi non semi sub inter intra vitro vivo situ silico
    efficacy efficacious placebo tolerability tolerated treatment treatments clinical clinically
    endpoint endpoints enrolled healthy volunteer volunteers incidence prevalence baseline
    administration administered daily twice weekly monthly double-masked double-blind multicentre
    multicenter crossover rating ratings scale scales questionnaire
    questionnaires randomisation randomization subject subjects
"""
_PATENTS = """
    apparatus apparatuses assembly assemblies portion portions member members unit units element
    elements means mechanism housing arrangement arrangements configuration
    configurations relates relating containing preparing treating accordance executes executing
    disclosure plural end ends claim claims
"""


def _forms(verb: str) -> set[str]:
    """A verb as it is written after I, she and they."""
    if verb.endswith("e"):
        return {verb, verb + "s", verb + "d", verb[:-1] + "ing"}
    if verb.endswith("y") and verb[-2] not in "aeou":
        return {verb, verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing"}
    third = verb + ("es" if verb.endswith(("s", "x", "ch", "sh", "o")) else "s")
    twice = verb + verb[-1]
    return {verb, third, verb + "ed", verb + "ing", twice + "ed", twice + "ing"}


_FUNCTION: frozenset[str] = STOP_WORDS | SMALL_WORDS | frozenset(_SMALL.split())
_INFLECTED = frozenset(form for verb in _VERBS.split() for form in _forms(verb))
ENDINGS: frozenset[str] = frozenset(_ENDING.split())
"""General words that end a phrase which is cut without them: forced swim test."""
INNER: frozenset[str] = frozenset(("of", "and"))
"""What may stand within a name, never at its beginning or end: quality of life, head and neck."""
STOPS: frozenset[str] = (
    (
        _FUNCTION
        | frozenset(_OTHER_LANGUAGES.split())
        | frozenset(_NOTICES.split())
        | _INFLECTED
        | (GENERAL_WORDS - frozenset(_JOINING.split()))
    )
    - ENDINGS
    - INNER
)
"""Words that are part of no name."""
CAPITALISED: frozenset[str] = ((GENERAL_WORDS | frozenset(_NOTICES.split())) & STOPS) - _FUNCTION
"""Those that are part of one where they are written so: Capability Maturity Model Integration."""
EMPTY: frozenset[str] = (
    STOPS
    | ENDINGS
    | INNER
    | GENERAL_WORDS
    | frozenset(_ACADEMIC.split())
    | frozenset(_HUMANITIES.split())
    | frozenset(_CLINICAL.split())
    | frozenset(_PATENTS.split())
)
"""Words that name nothing when they stand alone."""
_HAN = """
    基于 研究 方法 分析 综述 应用 问题 结果 本文 我们 提出 一种 进行 通过 以及 关于
    研究綜述 検討 手法 提案 論文 結果 考察
"""
HAN_PHRASES: tuple[str, ...] = tuple(_HAN.split())
"""Boilerplate of titles in Chinese and Japanese."""
HAN_STOPS: frozenset[str] = frozenset(
    "的了和与與及在是对對中为為之其等于於而以被把将將由从從到也都就可不一用"
)
"""Signs of Han that are part of no name."""
