/** A kind of text that documents are flagged for. */
export interface FlagKind {
  /** In our own words, because operators and agents read it: never a part of the document. */
  readonly reason: string;
  /** Every text of this kind has one of these words: only the text around them is searched. Global. */
  readonly words: RegExp;
  /**
   * Matched against `plainForm`: lower case, one space between words, line feeds kept. All patterns are one expression,
   * because a text is then searched in less than half of the time. It is compiled with the first call.
   */
  readonly pattern: () => RegExp;
}

const OVERRIDE = 'tells assistants to ignore their instructions';
const ADDRESS = 'addresses AI assistants';
const ROLE = 'gives assistants another role';
const SECRETS = 'asks for the prompt, the conversation or secrets';
const BEHIND = 'wants something kept from the user';
const TOOLS = 'tells assistants to call tools';
const MARKS = 'imitates the marks of a conversation or of quoted data';

/** Up to so many words between two parts of a phrase, within one sentence. */
const gap = (words: number): string => `(?:[\\s,:;()/-]+[\\p{L}\\p{N}]+){0,${words}}?[\\s,:;()/-]+`;

/**
 * Words after which a verb is not an order to the reader: conditions, other subjects, denials, and nouns ("the ignore
 * rules"). Manuals say what people and programs ignore; attacks address the reader.
 */
const NO_ORDER =
  '(?:(?:if|when|unless|whether|because|that|do|does|did|they|it|which|who|can|may|could|would|might|cannot)(?: you| i| we)?|users?|clients?|servers?|(?:do not|don t|never|not)|the|an?|of|these|those|standard|default|custom|(?<!\\byou )to)';
/** One of these verbs, as an order. The words before it are looked at last: looking behind takes time. */
const order = (verbs: string): string => `\\b(?:${verbs})(?<!\\b${NO_ORDER} (?:${verbs}))`;
const DROP = order(
  'ignore|disregard|forget(?! to\\b)|discard|neglect(?! to\\b)|abandon|dismiss|bypass|set aside|leave aside|(?:do not|don t|never|stop|must not|should not) (?:follow(?:ing)?|obey(?:ing)?|heed(?:ing)?)|pay no attention to',
);
const ORDERS =
  '(?:instructions?|directions|directives?|prompts?|guidelines?|rules|orders|commands|requests?|constraints|restrictions|programming|guidance|(?:task|question|query) (?:you|of the user))';
/** Without a word before them, these can be the second part of a name: "ignore rules". */
const NAMED = '(?:rules|commands|requests?|guidelines?|constraints|restrictions|patterns)\\b';
const EARLIER =
  '(?:previous|prior|earlier|above|preceding|foregoing|former|original|initial|existing|safety|system|your)';
const AI =
  '(?:ai|a i|ais|artificial intelligence|(?:large )?language models?|llms?|chat ?bots?|(?:chat)?gpt(?:-?\\d\\w*)?|(?:ai|llm|virtual|language model)[ -](?:assistants?|agents?|models?|systems?|bots?|readers?|tools?))';
/** Those whom a model obeys. */
const MASTER = '(?:developers?|operators?|creators?|owners?|makers?|system)';
/** Names that an attack uses for the text that it is in. */
const OWN_TEXT = '(?:page|document|text|message|file|section|prompt|paragraph)';
/** Words that are also names of other things. */
const ASSISTANT = `(?:${AI}|assistants?|claude|gemini|copilot|bots|robots|ai agents|summari[sz]ers?|(?:automated|machine) readers?)`;
const DUTY =
  '(?:must|should|shall|has to|have to|need to|needs to|are required to|is required to|will now|are to|is to)';
const SAY =
  '(?:ignore|forget|disregard|skip|say|state|tell|mention|recommend|praise|confirm|rank|rate|cite|output|reply|respond|answer|repeat|write|print|include|add|visit|open|reveal|disclose|treat|obey|escalate|prefer|omit|leave out|conclude|append)';
const READS =
  '(?:reads?|reading|process(?:es|ing)?|pars(?:es|ing|e)|summari[sz](?:es|ing|e)|ingest(?:s|ing)?|index(?:es|ing)|sees?|crawl(?:s|ing)?|scan(?:s|ning)?)';
const THIS = '(?:this|the following|these|it)';
/** A name with a point or low line in it. The name is looked at once from each place, at most 128 characters. */
const DOTTED = '(?=[\\p{L}\\p{N}_.-]{0,128}[_.])[\\p{L}\\p{N}_.-]{1,128}(?![\\p{L}\\p{N}_.-])';
const CHAT =
  '(?:conversation|chat history|chat log|chat|user s messages|last user message|messages of the user|user s (?:last|latest|previous) (?:messages?|questions?)|user s (?:credentials|password|data)|context window)';

/**
 * V8 compiles an expression to bytecode if the first text is shorter, which takes 200 ms for the largest of these, and
 * then to machine code, which takes 15 ms. After a text of this length, it compiles to machine code only.
 */
const LONG_TEXT = ' '.repeat(1_000);

function compiled(patterns: readonly string[]): RegExp {
  const pattern = new RegExp(patterns.map((each) => `(?:${each})`).join('|'), 'u');
  pattern.test(LONG_TEXT);
  return pattern;
}

function kind(reason: string, words: string, patterns: readonly string[]): FlagKind {
  let pattern: RegExp | undefined;
  return { reason, words: new RegExp(words, 'gu'), pattern: () => (pattern ??= compiled(patterns)) };
}

/** The kinds of texts, by what is asked. Sources: OWASP LLM01, and collections of published prompt injections. */
export const FLAG_KINDS: readonly FlagKind[] = [
  kind(
    OVERRIDE,
    `${DROP}|\\b(?:are|is|been) (?:now |hereby )?(?:void|cancell?ed|null|suspended|revoked|superseded|updated|replaced|no longer)\\b|new (?:instructions?|task|orders?)|not (?:as )?the user|answer (?:the|what the) user|answers? (?:to (?:every|all|any)|is always)|(?:apply|count)(?:s|ies)? to you|what(?:ever)? you are doing|(?:precedence|priority) over|no matter what|\\b(?:replaces?|supersedes?|overrides?|consider|treat)${gap(5)}${ORDERS}|as if (?:it|they) (?:came|was|were)|your (?:context|memory|instructions|training)|memory of this|(?:system prompt|your ${MASTER}) (?:say|says|told|tells|forbids?|wants?|asks?)|system override|this (?:page|document|text|message|file) (?:says|asks|tells)|aside|talimat|تجاهل|निर्देश|bo qua|abaikan|ignor|missachte|vergiss|vergess|beachte|olvida|esqueca|dimentica|desconsidere|oubli|negeer|zapomnij|игнор|забуд|[忽无忘]|無視|忘れ|무시|잊`,
    [
      `${DROP}${gap(3)}${EARLIER}${gap(3)}${ORDERS}\\b`,
      `${DROP}(?! ${NAMED})${gap(3)}${ORDERS}${gap(5)}(?:above|before|earlier|given|told)\\b`,
      `(?:^|[\\n.!?:;,>] ?|\\b(?:and|then|now|please|must|should|you) )${DROP} ${NAMED}${gap(5)}(?:above|before|earlier|given|told)\\b`,
      `${DROP}${gap(1)}(?:everything|anything|whatever|all|what)${gap(4)}(?:above|before|earlier|told|asked|instructed|prior)\\b`,
      `${DROP}${gap(1)}(?:the|what the) users?\\b(?! (?:interface|account|input|name|profile|settings?|config|mode|preferences?|manual|guide))`,
      `\\bset${gap(4)}${ORDERS} aside\\b`,
      `${DROP}${gap(3)}${ORDERS} (?:that |which )?(?:you (?:were|have|had|received|got)|(?:of|from) (?:your|the) ${MASTER})\\b`,
      `\\b(?:whatever|no matter what|regardless of what|even if|everything|anything) (?:that )?(?:(?:the|your) system prompt|your ${MASTER}) (?:say|says|told|tells|forbids?|wants?|asks?)\\b`,
      `\\b(?:replaces?|supersedes?|overrides?) (?:all |any )?(?:of )?your (?:system )?${ORDERS}\\b`,
      `(?:^|[\\n.!:] ?)stop (?:what|whatever) you are doing\\b`,
      `\\bas if (?:it|they) (?:came|was|were)(?: written| said)? (?:from|by) your ${MASTER}\\b`,
      `\\b${ORDERS}${gap(4)}(?:precedence|priority) over (?:the users?|your|what|any(?:thing)? (?:the user|you))\\b`,
      `(?:^|\\n)system override\\s?:`,
      `${DROP} (?:all |any )?other (?:sources|documents|pages|texts|files)\\b`,
      `${DROP}${gap(1)}(?:questions?|requests?|quer(?:y|ies)) (?:of|from) the user\\b`,
      `\\b${EARLIER}${gap(2)}${ORDERS} (?:are|is|have been|has been) (?:now |hereby )?(?:void|cancell?ed|null|suspended|revoked|superseded|updated|replaced|no longer)\\b`,
      `\\b(?:replaces?|supersedes?|overrides?|consider|treat)${gap(5)}${ORDERS}${gap(3)}(?:obsolete|void|invalid|cancell?ed|(?:of|from) (?:your|the) (?:developers?|operators?|system|creators?))\\b`,
      `(?<!if )\\b(?:the|all) (?:answer|answers) (?:to (?:every|all|any)(?! (?:of )?(?:these|those)\\b)${gap(2)}questions?|is always)\\b|\\bno matter what (?:the question|you are asked|the user)\\b`,
      `\\b(?:${ORDERS}|policy|policies|limits)${gap(4)}(?:no longer|do not|don t) (?:apply|count)(?:s|ies)? to you\\b`,
      `\\b(?:reset|erase|clear|wipe)${gap(2)}(?:your (?:context|memory|instructions|training)|memory of this (?:chat|conversation))\\b`,
      `\\b(?:this|the following) ${OWN_TEXT}${gap(2)}(?:precedence|priority) over${gap(3)}(?:sources|documents|pages|${ORDERS}|users?|prompts?|anything|everything|what you)\\b`,
      `\\bdo (?:exactly |only )?(?:as|what) this (?:page|document|text|message|file) (?:says|asks|tells)\\b`,
      `\\b(?:do not|don t|never) answer (?:the|what the) user\\b`,
      `(?:^|[\\n.!] ?)new (?:instructions?|task|orders?)\\s?(?::|are below)`,
      `\\b(?:answer|reply|respond)\\b.{0,40}\\bnot (?:as )?the user (?:says|asks|wants)`,
      `\\b(?:ignorier(?:e|en sie)|missachten sie|vergessen sie|missachte|vergiss|vergess|beachte)${gap(4)}(?:anweisungen|instruktionen|vorgaben|befehle|benutzer|nutzer)\\b|\\b(?:vergiss|vergessen sie) alles,? was (?:dir|ihnen)\\b`,
      `\\b(?:ignora|ignore|olvida|esqueca|dimentica|ignori|desconsidere)${gap(3)}(?:instrucciones|instrucoes|istruzioni|indicaciones|ordenes)\\b`,
      `\\b(?:ignore|ignorez|oublie|oubliez)(?:(?: (?:toutes?|tous|les?|la|ces|cette|vos|votre|tes|ton|mes)){1,3}(?: \\p{L}+)? (?:instructions|consignes)|${gap(4)}ce qui precede)\\b`,
      `\\bnegeer${gap(4)}(?:instructies|opdrachten)\\b`,
      `\\b(?:zignoruj|ignoruj|zapomnij)${gap(4)}(?:polecenia|instrukcje|instrukcji)\\b`,
      '(?:игнорируй|игнорируйте|забудь|забудьте)(?:\\s+\\p{L}+){0,4}\\s+(?:инструкции|указания|команды)|(?:забудь|забудьте) вс[её],? что',
      '\\btalimatlar.{0,12}(?:yok say|unut|gormezden gel)',
      'تجاهل.{0,24}تعليمات|निर्देश.{0,16}(?:अनदेखा|नज़रअंदाज)',
      '\\bbo qua.{0,24}(?:huong dan|chi thi|lenh).{0,6}truoc|\\babaikan.{0,16}(?:instruksi|perintah).{0,16}sebelumnya',
      '(?:忽略|无视|忘记|忘掉).{0,12}(?:指令|指示|提示|内容|(?<!忽略)规则)|(?:指示|命令|プロンプト).{0,8}(?:無視|忘れ)|(?:지시|명령|지침).{0,6}(?:무시|잊)',
    ],
  ),
  kind(
    ADDRESS,
    `\\b(?:${ASSISTANT}|ki|sprachmodelle?|chatbots?|modeles|modelos|ia|asistentes|assistentes|the model|(?:tell|inform|convince|persuade|warn) the user|(?:your|every|each)(?: (?:final|next))? (?:summary|answers?|repl(?:y|ies)|responses?|output)|(?:generate|write|give|summari[sz]e|generating|writing|giving|summari[sz]ing) (?:your|the|this)|(?:whoever|whatever|anyone who) (?:summari[sz]es|generates|writes)|models?(?: eyes)? only)\\b`,
    [
      `\\b(?:if|as|since|because) (?:you are |you re )?(?:an?|the|any) ${AI}\\b[^.\\n]{0,40}\\b(?:you|your|reply|respond|answer|add|say|output|ignore|write|include|mention)\\b`,
      `\\byou (?:are|re) an? (?:helpful )?${AI}\\b[^\\n]{0,60}\\b(?:must|tell|ignore|never|always|obey)\\b`,
      `\\b(?:attention|dear|hey|hello|hi|listen)[ ,:]+(?:all |any |the |every )?${ASSISTANT}\\b`,
      `\\b(?:notes?|notice|message|reminder|instructions?|hints?|warning|directives?|orders?|prompts?|information|text|paragraph) (?:is )?(?:meant |intended |only )?(?:to|for) (?:the |any |all |other )?${AI}\\b(?! (?:clients?|providers?|apis?|developers?|vendors?|applications?|apps?|workflows?|hosts?|frameworks?|features?))[^.\\n]{0,30}(?::|[.]|only|$|,)`,
      `(?:^|\\n|[.!] )(?:to|for) (?:the |any |all |whichever |every )?${AI}\\b[^.\\n]{0,40}(?:${READS}|:)`,
      `\\b(?:${AI}|assistants?|summari[sz]ers)\\b(?: \\p{L}+)? (?:that |who |which )?${READS} ${THIS}\\b[^.\\n]{0,60}(?:[,:]|\\b${DUTY}|\\b${SAY})`,
      `\\b(?:when|if|once) (?:an?|the|any) ${ASSISTANT}(?: is)? ${READS} ${THIS}`,
      `(?:^|\\n|[.!(>] ?|<!-+ ?)${ASSISTANT}\\s?[:,]\\s?(?:please |kindly |you |when |do |don t |never |always |the next )?(?:${SAY}\\b|not |must |should |you |when )`,
      `(?:^|\\n|[.!] )${ASSISTANT}(?: \\p{L}+){0,5} (?:must|should|have to|has to) (?:first |always |never |not |now |also )?${SAY}[^.\\n]{0,60}(?:this (?:page|document|text|file|article)|the user|https?:|saying that)`,
      `\\b(?:when|if|once|to|any|whichever|whatever|every) (?:an? |the |any )?${AI} (?:is )?${READS} ${THIS}`,
      `(?:^|\\n|[.!:,(>] ?)(?:all |any |the |every )?(?:${AI}|assistants|chat ?bots) ${DUTY} (?:first |always |never |not |now |also )?\\p{L}{1,40}\\b[^.\\n]{0,200}\\b(?:this (?:page|document|text|file|manual|article)|first|always|never|the user)\\b|(?:^|\\n|[.!>] ?)(?:all |any |the |every )?(?:${AI}|assistants|chat ?bots) ${DUTY} (?:first |always |never |not |now |also )?(?:${SAY}|not|never)\\b`,
      `\\b${ASSISTANT}[:,]? (?:if you (?:see|read)|your (?:next |final )?(?:output|answer|reply|response|task))\\b`,
      `\\bin your (?:final |next )?(?:summary|answer|reply|output)[, ]+(?:claim|${SAY})\\b`,
      `\\bfor (?:ai|llm|assistants?|model)s?(?: eyes)? only\\b|\\b(?:whoever|whatever|anyone who) (?:summari[sz]es|generates|writes)${gap(5)}(?:must|should|has to)\\b`,
      `\\byour (?:summary|answers?|repl(?:y|ies)|responses?|output)(?: \\p{L}+)? ${DUTY} (?:always )?(?:end|begin|start|include|contain|mention|say|be)\\b`,
      `\\b(?:begin|start|end|finish) (?:your|every|each) (?:summary|answers?|repl(?:y|ies)|responses?|output) (?:with|by)\\b`,
      `\\bwhen (?:you (?:generate|write|give|summari[sz]e)|generating|writing|giving|summari[sz]ing) (?:your |the |this )(?:(?<=your |this )(?:document|page)|summary|answer|reply|response)\\b`,
      `(?:^|\\n|[.!:,>] ?)(?:please |kindly |also |always )?(?:include|add|insert|mention|put|append|place|state)\\b[^.\\n]{0,60}\\b(?:in|to|into) your (?:summary|answer|reply|response|output)\\b`,
      `(?:^|\\n|[.!:,>] ?)(?:please |kindly |instead |always )?(?:tell|inform|convince|persuade|warn) the user (?:that|to)\\b[^.\\n]{0,120}\\b(?:https?|www|install|download|visit|buy|pay|call|click|contact|passwords?|best|unsafe|safe|expired|recommend\\p{L}*|always|never)\\b`,
      `\\b(?:automated|machine) readers? ${DUTY}\\b`,
      `\\b(?:an alle|hinweis (?:an|fur)(?: alle)?|achtung) (?:ki|sprachmodell|chatbot)|\\b(?:note|message|attention) (?:aux|a tous les) (?:assistants|modeles|ia)\\b|\\b(?:nota|mensaje|mensagem|aviso) (?:para|a) (?:los |os |todos )*(?:asistentes|assistentes|modelos|ia)\\b`,
      `\\byou[, ]+the (?:ai|model|assistant|llm)\\b|\\b(?:hidden|secret) (?:instructions?|messages?|prompts?) (?:for|to) ${ASSISTANT}\\b`,
    ],
  ),
  kind(
    ROLE,
    '\\b(?:you are|you now|pretend|freed?|released|persona|simulate|your|as if you|bound by|(?:developer|jailbreak|dan|god) mode|from now|from this|unrestricted|unfiltered|uncensored|evil|jailbroken|du bist|eres|tu es|voce e)\\b',
    [
      '\\byou are now (?:dan\\b|an? (?:ai|assistant|unrestricted|evil|pirate|hacker)|in (?:debug|developer|admin|god|maintenance) mode|working for|free (?:of|from))|\\byou now work for\\b|\\b(?:freed?|released) from (?:all |any |your )?(?:limitations|restrictions|constraints|rules)\\b',
      '\\b(?:switch|change|adopt|take on|assume)(?: \\p{L}+){0,3} persona\\b|\\bsimulate an? (?:terminal|shell|unrestricted)\\b',
      `\\b(?:as|i am) your (?:administrator|developer|operator|creator|owner)\\b[^.\\n]{0,20}\\b(?:i |order|command|instruct)`,
      '\\byou are in (?:debug|developer|admin|god|maintenance|jailbreak) mode\\b',
      `\\b(?:act|behave|respond|answer|pretend)${gap(2)}(?:an? )?(?:unrestricted|unfiltered|uncensored|evil|jailbroken)\\b`,
      `\\bpretend (?:that |to be )?(?:you are |you re )?(?:the |an? )?(?:system administrator|administrator|root|operator|developer|human)\\b`,
      '\\b(?:act|behave|answer|respond) as if you (?:had|have) no\\b',
      '\\b(?:no longer|not) bound by (?:your|any|the) (?:rules|restrictions|guidelines|policies|policy)\\b',
      '\\b(?:enter|switch to|activate|enable) (?:developer|jailbreak|dan|god) mode\\b[^\\n]{0,40}\\b(?:no|without|unrestricted|you|(?:content|safety) filters)\\b|\\benter developer mode\\b',
      '\\byou are no longer (?:an? )?(?:ai|assistant|language model|chat ?bot)\\b',
      '\\bfrom this (?:moment|point) (?:on )?you (?:work|obey|serve|answer|belong)\\b',
      `\\bfrom (?:now|this (?:point|moment)) (?:on|forward|onward)s?[, ]+(?:you(?! (?:can|could|may) (?!do|say|only|not|never|answer|ignore|freely))|ignore|disregard|forget(?! to\\b)|act)\\b`,
      '\\b(?:du bist|eres|tu es|voce e) (?:jetzt|ab jetzt|ahora|maintenant|agora) (?:ein|un|une|um)\\b',
    ],
  ),
  kind(
    SECRETS,
    `\\b(?:system ?prompts?|instructions|prompts?|configuration|above|before|were you told|${CHAT}|api keys?|passwords?|secrets?|credentials|tokens)\\b`,
    [
      `${order('reveal|print|output|show|display|repeat|leak|expose|disclose|write out|dump|append|include|tell (?:me|us)')}(?: (?:the|your|its|my|all|full|entire|whole|complete|exact|original|hidden|initial|text|content|of)){1,6}? (?:system prompts?(?! (?:of|in|for|from)\\b)|(?:initial|hidden|secret|original|your|preceding) (?:instructions|(?:initial|hidden|secret|system) prompts?))\\b`,
      `\\b(?:reveal|print|output|show|display|repeat|leak|expose|disclose|write out|dump)${gap(6)}(?:(?:initial|hidden|secret|original|preceding) (?:instructions|prompts?|configuration|context)|(?:instructions|prompts?|rules) (?:that )?you (?:were given|have|received))\\b`,
      `${order('reveal|leak|expose|disclose')}${gap(6)}system prompts?\\b`,
      `\\bencode${gap(3)}${CHAT}\\b`,
      `\\b(?:send|post|append|upload|forward|exfiltrate|export|transmit|replace|include|collect)${gap(7)}${CHAT}\\b[^.\\n]{0,40}(?:https?:|webhook|\\burl\\b|\\bto (?:this|the following)\\b|so far)`,
      `\\brepeat (?:the (?:words|text|lines)|everything|all) (?:above|before)\\b|\\bwhat (?:were you told|(?:are|were) your (?:initial |original )?instructions)\\b`,
      `\\b(?:send|append|replace|include|render)\\b[^\\n]{0,80}\\b(?:conversation|chat history)\\b[^\\n]{0,40}\\b(?:user|url|https?)\\b`,
      `\\b(?:write down|collect|list|include|send|output|print)${gap(6)}(?:api keys?|passwords?|secrets?|secret keys?|credentials|tokens) (?:that you|of the user|of this user|you (?:know|have)|stored in your)\\b`,
      '\\b(?:gib|gebe|zeige|afiche|affiche|affichez|revele|muestra|mostra)\\b[^.\\n]{0,30}\\b(?:systemprompt|prompt systeme|prompt do sistema|prompt del sistema)\\b',
    ],
  ),
  kind(
    BEHIND,
    '\\b(?:(?:the|any) users?|the human|(?:be)?nutzer(?:in|n)?|utilisateurs?|usuarios?|utente|without (?:mentioning|reporting|revealing))\\b|告[诉訴]|пользовател|ユーザー',
    [
      `\\b(?:do not|don t|never|must not) (?:tell|inform|alert|notify|warn) the users? (?:about|of|that)[^.\\n]{0,20}\\b(?:this|these|instructions?|you have)\\b`,
      `\\b(?:do not|don t|never|must not|not) (?:mention|reveal|disclose|show|repeat)${gap(5)}to (?:the|any) users?\\b`,
      `\\b(?:keep|hide|conceal) (?:(?:all|any|of) )*(?:this|these|it|them|that|the (?:above|following|fact|instructions?))${gap(3)}from the (?:human|user)\\b|\\b(?:keep|hide|conceal) (?:this|these|it|them|that) from the (?:human|user)\\b`,
      `\\bthe (?:human|user) (?:must|should|may|can) (?:not|never) (?:(?:know|learn|find out|be told)\\b|(?:see|notice) (?:this|these) (?:${OWN_TEXT}s?|instructions?|steps?)\\b)`,
      `(?:^|[\\n.!:>] ?)(?:please )?(?:carry out|do|perform|execute|run|follow|continue|proceed)\\b[^.\\n]{0,60}\\bwithout (?:informing|telling|alerting|notifying|asking) the user\\b`,
      `\\bthe user has (?:already )?(?:consented|agreed|approved)\\b[^.\\n]{0,40}\\b(?:no need|do not|don t|without) (?:to )?ask`,
      '\\bsage? (?:dem|den|der) (?:be)?nutzer(?:in|n)? (?:nicht|nichts)\\b|\\bne (?:dis|dites) (?:pas|rien) (?:a l |aux )utilisateurs?\\b|\\bno (?:le |les )?digas? (?:nada )?(?:al|a los) usuarios?\\b|\\bnao (?:diga|conte) (?:nada )?ao usuario\\b|\\bnon dire (?:nulla |niente )?all utente\\b',
      '(?:不要|别|請勿).{0,4}告[诉訴].{0,4}(?:用户|用戶|使用者)|не говори(?:те)? (?:об этом )?пользовател|ユーザー.{0,8}(?:教え|伝え|言わ)(?:ないで|るな|ず)',
      `\\bwithout (?:mentioning|reporting|revealing) (?:it|this|that)\\b|\\b(?:do not|don t) let the user (?:know|see)\\b`,
      `\\bwithout (?:informing|telling|alerting|notifying|asking) the user\\b[^.\\n]{0,12}(?:,|for (?:confirmation|permission))[^.\\n]{0,200}\\b(?:add|call|send|run|invoke|include|open|your)?\\b`,
      `\\b(?:instead of|rather than) (?:answering|helping) the user\\b`,
    ],
  ),
  kind(
    TOOLS,
    `\\b(?:(?:call|use|invoke|run|execute)${gap(3)}(?:tools?|functions?)|(?:tool|function) with|you must|authori[sz]ed|allowed|permitted|safety)\\b`,
    [
      `\\b(?:before you answer|before answering|you must|first|now|then|always)[, ]+(?:immediately )?(?:call|use|invoke|run)${gap(1)}(?:tools?|functions?) ${DOTTED}`,
      `\\b(?:call|invoke|use|execute) the (?:tool|function) ${DOTTED}[^.\\n]{0,80}\\b(?:user message|conversation|without asking|its content|ssh|password|now)\\b`,
      `(?:^|\\n|[.!:] ?)(?:please )?(?:call|invoke|execute) the (?:tool|function) ${DOTTED} with\\b`,
      `\\byou must (?:now |first )?(?:call|invoke|run) ${DOTTED} with\\b`,
      `\\b(?:without|skip|bypass)${gap(2)}(?:confirmation|approval)\\b[^\\n]{0,120}\\b(?:you are|you re) (?:authori[sz]ed|allowed|permitted)\\b`,
      '(?:^|\\n|[.!:,>] ?)(?:please |now |then |first )?(?:use|execute|run|call|invoke) (?:your|the) (?:browser|shell|terminal|e-?mail|file|search|code|payment) tool\\b',
      `\\b(?:you are|you re) (?:authori[sz]ed|allowed|permitted) to (?:skip|bypass|ignore)${gap(2)}(?:confirmations?|approvals?|safety|checks)\\b`,
      `(?:^|[\\n.!:>] ?)(?:please )?(?:call|invoke|execute) the ${DOTTED} (?:tool|function) with\\b`,
      `${order('skip|disable|bypass|ignore|turn off')}${gap(2)}safety (?:checks?|filters?|guidelines?|rules|measures)\\b`,
      `\\bauthori[sz]ed you to (?:bypass|skip|ignore)\\b`,
    ],
  ),
  kind(
    MARKS,
    '<[|<]|\\[/?inst\\]|</?(?:system|tool|function|untrusted|document|context)|trusted data|system(?: message| prompt| note)?\\]?\\s?[:\\]]|human: |chunk ?:|</?(?:assistant|human|important)>|## ?(?:instructions?|response|system)|role: ?system|end of',
    [
      '<\\|(?:im_start|im_end|system|user|assistant|end|eot_id|endoftext|start_header_id|end_header_id|begin_of_text|endofprompt)\\|>|\\[/?system\\](?!\\()|<important>|(?:^|[{,\\s])role: ?system\\b',
      '\\[/?inst\\]|<</?sys>>|(?:^|[\\n.>!] ?)<system>|</system>|</?(?:tool_result|tool_results|tool_call|function_calls|function_results|untrusted|untrusted_data|system_prompt|system-reminder|assistant|human)>',
      '(?:^|\\n)(?:begin|end) (?:un)?trusted data\\b',
      '(?:^|\\n)\\[?#* ?system(?: message| prompt| note)?\\]?\\s?[:\\]]\\s*(?:\\n|you\\b|the (?:user|answer|following)|safety|all|ignore|new|override)',
      '(?:^|\\n)#{2,} ?(?:instructions?|response|system) ?(?:#{2,}|:(?=\\s))|(?:^|\\n)[=<#-]{2,} ?end of (?:document|context|untrusted|data|text|input)',
      '(?:^|\\n)human: [^\\n]+\\n(?:\\n)?assistant: |(?:^|\\n)--- ?chunk ?: ',
      '</(?:document|context|documents)>\\s*(?:</\\w{1,40}>\\s{0,8}){0,8}<(?:instructions?|system|user|assistant)>',
    ],
  ),
];
