"""English words that say nothing about a subject."""

from __future__ import annotations

_WORDS = """
    a about above after again against al all also although am among an and another any are aren as
    at be because been before being below between both but by can cannot could couldn d did didn do
    does doesn doing don done down due during each either et etc even ever few for from further had
    hadn has hasn have haven having he her here hers herself him himself his how however i ie if in
    into is isn it its itself just ll many may me might more most much must my myself neither no nor
    not now of off often on once one only onto or other others our ours ourselves out over own per
    rather re s same shan she should shouldn since so some such t than that the their theirs them
    themselves then there thereby therefore these they this those though through thus to together
    too toward towards under until up upon us use used using ve very via was wasn we well were weren
    what when where whether which while who whom whose why will with within without won would
    wouldn yet you your yours yourself yourselves
"""
STOP_WORDS: frozenset[str] = frozenset(_WORDS.split())

_GENERAL = """
    able absolute accordingly achieve achieved achieves achieving actual actually additional
    additionally address addressed addresses adequate advance advanced advances advantage advantages
    aim aimed aims allow allowed allowing allows alone alternative analyse analysed analyses analyze
    analyzed apparent appear appears applied apply applying approach approaches appropriate
    arbitrary area areas argue argued article aspect aspects assess assessed assume assumed attempt
    attempts author authors available average avoid away basic basis become becomes begin best
    better bring brings broad broadly build building built call called capable careful carefully
    carry case cases central certain challenge challenges challenging choice choices choose chosen
    claim claims clear clearly close closely combine combined combines combining common commonly
    compare compared compares comparing comparison complete completely complex comprehensive concept
    concepts conclude conduct conducted consider considerable considerably considered considering
    considers consist consists contain contains contribute contribution contributions conventional
    core correct correctly corresponding cost costs couple create created creates critical crucial
    current currently deal deeply demand demonstrate demonstrated demonstrates depend depends
    describe described describes describing despite detail detailed details determine determined
    develop developed developing develops differ difference differences different differently
    difficult difficulty direct directly discuss discussed discusses distinct drawn drop earlier
    early easier easily easy effect effective effectively effectiveness effects efficient
    efficiently effort eight either eliminate emerge emerged employ employed employs enable enabled
    enables enabling encourage end entire entirely especially essential establish established
    evaluate evaluated evaluates evaluating evaluation evidence exact exactly examine examined
    examines example examples excellent exhibit exist existing exists expect expected expensive
    experiment experimental experiments explain explained explicit explicitly exploit exploited
    exploits explore explored explores extend extended extends extensive extent extremely face fact
    factor factors fail fails fairly fall far fast faster feasible fewer fields final finally find
    finding findings finds fit five fix fixed focus focused focuses follow followed following
    follows form former forms forward found four free full fully fundamental furthermore gain gained
    gains gap general generally get gets give given gives giving go goal goals goes good great
    greater greatest greatly group groups grow growing half hand handle happen hard harder heavily
    held help helps hence high higher highest highlight highly hold holds hope huge idea ideal ideas
    identical identified identify illustrate immediate impact implement implemented imply importance
    important impose impossible improve improved improvement improvements improves improving include
    included includes including increase increased increases increasing increasingly indeed
    independent indicate indicates individual influence inform initial inside insight insights
    instance instead intended interest interesting introduce introduced introduces introducing
    investigate investigated investigates investigation involve involved involves issue issues keep
    keeping keeps kept key kind kinds know known lack large largely larger largest last late later
    latter lead leading leads least leave leaves led left length less lesser let level levels lie
    like likely likewise limit limitation limitations limited limits line lines little long longer
    look low lower lowest main mainly maintain major make makes making manner match matter mean
    meaningful means measure measured measures meet mere merely method methods minor mode moreover
    moved moving multiple name named namely natural naturally near nearly necessarily necessary need
    needed needs never new newly next nine non none normal notable notably note novel number numbers
    numerous observe observed obtain obtained obtaining obtains obvious occur occurs offer offered
    offers old one ones open operate opposite order original originally otherwise outcome outperform
    outperforming outperforms overall overcome pair pairs paper papers part partial particular
    particularly parts past people perform performance performed performs perhaps place plausible
    play plays poor poorly popular pose position possible possibly potential potentially practical
    practice precise precisely present presented presents prevent previous previously primarily
    primary principle prior probably problem problems procedure procedures proceed produce produced
    produces producing promising proper properly properties property propose proposed proposes
    proposing prove proven provide provided provides providing published purpose put quick quickly
    quite raise raised range rapid rapidly rarely rate rates reach reached reaches real realise
    realistic realize really reason reasonable reasonably recent recently recover reduce reduced
    reduces reducing reduction refer regard regardless related relation relations relative
    relatively relevant reliable reliably relies rely remain remains remarkable remove removed
    repeat replace replaced report reported reports require required requirement requirements
    requires requiring research researchers respect respective respectively result resulting results
    retain return reveal revealed reveals review rich right rise role roughly run running runs sake
    satisfy say scale scan scans scenario scenarios second see seek seem seems seen select selected
    separate serve serves set sets setting settings seven several severe share shared sharp short
    shorter show showed showing shown shows side significance significant significantly similar
    similarly simple simpler simplest simply simultaneously single six size sizes slightly slow
    small smaller solely solution solutions solve solved solves solving sought special specific
    specifically specified stage stages standard start started state stated step steps still
    straightforward strategies strategy strength strengths strict strong stronger strongly studied
    studies study subject substantial substantially succeed success successful successfully
    sufficient sufficiently suggest suggested suggests suitable summary superior support supports
    surprising surprisingly survey system systematic systematically systems take taken takes taking
    task tasks technique techniques tend tends term terms test tested testing tests thereby third
    thorough three time times today too total traditional traditionally treat treated trend tried
    true try trying turn turns two type types typical typically ultimately unable underlying
    understand understanding understood unified unique unlike unlikely usage useful user usual
    usually utilize utilized valid valuable value values variety various vary varying version
    versions view viewed views way ways weak weaker wide widely wider widespread widest word work
    worked working works world worse worst worth written year years yield yielded yields zero
"""
GENERAL_WORDS: frozenset[str] = frozenset(_GENERAL.split())
"""Words of academic English that say something of any subject: they are searched for and compared
like all others, but not shown as what two papers share."""
