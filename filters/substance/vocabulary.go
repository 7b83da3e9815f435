package substance

import (
	"regexp"
	"strings"
)

// anyOf compiles a pattern that matches one of the alternatives as whole words,
// without regard to case. An alternative is RE2; "*" at its end stands for the
// rest of a word.
func anyOf(alternatives ...string) *regexp.Regexp {
	parts := make([]string, len(alternatives))
	for i, a := range alternatives {
		if stem, ok := strings.CutSuffix(a, "*"); ok {
			a = stem + `\w*`
		}
		parts[i] = a
	}
	return regexp.MustCompile(`(?i)(?:^|[^\w])(?:` + strings.Join(parts, "|") + `)(?:[^\w]|$)`)
}

// behaviour holds the words that say what software is made of and what it does:
// one of them is a reference to code or behaviour (spec section 4, "substance
// keyword"). Stems end in "*".
var behavior = anyOf(
	// What goes wrong.
	"error*", "exception*", "fail*", "crash*", "bug*", "fix*", "race*", "lock*", "unlock*", "deadlock*", "leak*", "panic*", "throw*", "raise*", "raising", "hang*",
	"overflow*", "underflow*", "regress*", "corrupt*", "break", "breaks", "breaking", "broke", "broken", "wrong*", "incorrect*", "correct*", "invalid*", "undefined", "null*", "none", "nil",
	"nan", "missing", "ignor*", "silent*", "swallow*", "unreachable", "unexpected*", "confus*", "mislead*", "ambig*", "inconsisten*", "consisten*", "conflict*", "collision*", "collid*", "duplicat*", "redundan*", "unnecessar*", "unused", "obsolete", "deprecat*", "stale", "hard-?cod*", "magic",
	// What it does.
	"return*", "call*", "invok*", "execut*", "run", "runs", "running", "evaluat*", "comput*", "calculat*", "pars*", "serializ*", "serialis*", "deserializ*", "encod*", "decod*", "escap*", "sanitiz*", "sanitis*", "validat*", "valid", "check*", "handl*", "catch*", "caught", "wrap*", "unwrap*",
	"alloc*", "free*d?", "clos*", "dispos*", "clean ?up", "flush*", "initiali*", "instantiat*", "construct*", "destroy*", "cach*", "memo*", "load*", "stor*", "sav*", "writ*", "read", "reads", "reading", "fetch*", "quer*", "insert*", "delet*", "updat*", "iterat*", "loop*", "recurs*", "sort*", "filter*", "merg*", "append*", "retr(?:y|ies)", "timeout*", "timed? ?out", "await*", "block*", "schedul*", "dispatch*", "emit*", "subscrib*", "publish*", "render*", "redirect*", "authenticat*", "authoriz*", "encrypt*", "hash*", "log", "logs", "logged", "logging", "trac*", "measur*", "benchmark*", "optimi*", "compil*", "build*", "deploy*", "install*", "import*", "export*", "inherit*", "overrid*", "overload*", "implement*", "expos*", "configur*", "enabl*", "disabl*", "depend*", "behav*", "trigger*", "propagat*", "convert*", "cast*", "copy", "copies", "copied", "clone*", "mutat*", "replac*", "refactor*", "extract*", "renam*", "simplif*", "reus*", "remov*", "inlin*", "document*", "annotat*", "test*", "assert*", "mock*", "cover*", "pin", "pins", "pinned",
	// What it is made of.
	"code", "codebase", "function*", "method*", "class", "classes", "struct*", "interface*", "type", "types", "typed", "typing", "typescript", "generic*", "enum*", "const", "constant*", "variable*", "argument*", "param*", "field*", "propert*", "attribute*", "module*", "package*", "librar*", "namespace*", "scope*", "object*", "instance*", "pointer*", "reference*", "array*", "list*", "map", "maps", "mapping*", "dict*", "tuple*", "string*", "integer*", "int", "float*", "boolean*", "bool", "byte*", "buffer*", "stream*", "queue*", "thread*", "process*", "goroutine*", "coroutine*", "promise*", "future*", "callback*", "closure*", "lambda*", "listener*", "handler*", "hook*", "event*", "message*", "signal*", "state*", "context", "session*", "cookie*", "token*", "password*", "secret*", "credential*", "permission*", "role*", "api*", "endpoint*", "route*", "router*", "request*", "response*", "header*", "payload*", "body", "socket*", "connection*", "client*", "server*", "proxy", "database*", "db", "sql", "table*", "column*", "row", "rows", "index*", "transaction*", "migration*", "schema*", "model*", "view*", "template*", "component*", "props", "plugin*", "middleware*", "decorator*", "iterator*", "generator*", "operator*", "expression*", "statement*", "condition*", "branch*", "syntax", "semantic*", "logic", "algorithm*", "abstraction*", "pattern*", "helper*", "util*", "wrapper*", "factory", "builder*", "singleton*", "primordial*", "default*", "option*", "flag*", "setting*", "env*", "config*", "file*", "folder*", "director*", "path*", "url*", "uri", "http*", "json", "yaml", "xml", "html", "css", "regex*", "script*", "command*", "cli", "shell", "docker*", "container*", "image*", "back-?end*", "front-?end*", "workflow*", "pipeline*", "ci", "job*", "task*", "worker*", "cluster*", "node*", "kernel*", "cpu", "gpu", "memory", "heap", "stack*", "disk", "network*", "latency", "throughput", "perf", "performan*", "efficien*", "expensive", "overhead", "complexity", "concurren*", "parallel*", "async*", "sync*", "atomic*", "thread-?safe*", "idempoten*", "immutab*", "mutab*", "lazy", "eager*", "secur*", "vulnerab*", "inject*", "xss", "csrf", "compat*", "backwards?", "version*", "upgrade*", "downgrade*", "platform*", "windows", "linux", "macos", "browser*", "locale*", "timezone*", "unicode", "utf-?8", "edge case*", "corner case*", "happy (?:path|flow)", "use ?case*", "readab*", "maintain*", "require*", "necessary", "expect*", "multipl*", "divid*", "divisi*", "round(?:s|ed|ing)?", "duration*", "truncat*", "docs?", "doc ?strings?", "javadoc*", "jsdoc*", "doctest*", "readme", "changelog", "comment", "comments", "fixture*", "snapshot*", "naming", "identifier*", "symbol*", "keyword*", "alias*", "macro*", "lint*", "versionadd*", "annotation*", "translation*", "identical", "equivalent", "equal*",
)

// The words of sentences that approve, thank, agree or acknowledge, in the
// languages seen on GitHub. Most of them also have a plain meaning ("the right
// index", "super is called", "the promise is resolved"), so it matters where
// they stand.
var (
	// thanks opens a sentence that is praise whatever it goes on about.
	thanks = opening("thanks", "thank you", "thx", "ty", "tyvm", "tks", "cheers", "(?:good|nice|great) (?:catch|find|spot|call|point|idea|job|work|stuff|one|thinking|fix)", "well done", "kudos", "bravo", "props to", "congrat*", "glad", "appreciate*", "(?:happy|nice|great|good) to see", "love (?:it|this|that|the|how|these)", "like (?:it|this|that|the|how|these)", "gracias", "muchas gracias", "merci", "danke", "dankeschön", "obrigad[oa]", "grazie", "спасибо", "дякую", "dzięki", "tack", "kiitos", "teşekkürler", "bien joué", "muy bien", "très bien", "bom trabalho")
	// approval opens a sentence that is praise unless it names a defect.
	approval = opening("lgtm", "sgtm", "wfm", "ship ?it", "approv(?:ed|ing)", "nice", "nicely", "great", "awesome", "excellent", "amazing", "fantastic", "brilliant", "perfect", "perfectly", "lovely", "neat", "beautiful*", "elegant*", "impressive", "wonderful", "good (?:question|to know|enough|to go)", "happy with", "agree", "agreed", "works for me", "all good", "sieht gut aus", "parfait", "perfecto", "genial", looksGood, soundsGood)
	// anywhere is praise wherever it stands in a sentence without a defect.
	anywhere = anyOf("lgtm", "sgtm", looksGood, soundsGood, "works for me", "(?:fine|ok|okay|good) (?:by|with) me", "good to (?:go|merge)", "thanks", "thank you", "well done", "(?:good|great|nice|excellent|amazing|awesome) (?:job|work)", "no (?:concerns|objections|complaints|further comments|more comments)", "makes? sense(?:[.,!;:)]| to me|$)", "gracias", "merci beaucoup", "obrigado", "спасибо")
	// acknowledgement opens a sentence before a comma or its end.
	acknowledgement = regexp.MustCompile(`(?i)^\W*(?:yes|yep|yeah|yup|sure|sure thing|ok|okay|ack|acknowledged|noted|right|of course|no problem|np|no worries|my bad|sorry|oops|will do|resolved|got it|understood|i see|fair enough|fair point|indeed|exactly|same here|ditto|likewise|cool|super|sweet|sounds good|makes sense|\+1)\s*(?:[,.!:;)—–-]|$)`)
	// plusOne is the shortest agreement.
	plusOne = regexp.MustCompile(`^\W*\+1\b`)
)

const (
	looksGood  = "looks? (?:very |really |pretty |all |so )?(?:good|great|nice|fine|ok|okay|clean|solid|awesome|right|correct|reasonable|sane)(?: to me| now| otherwise| overall|\\W|$)"
	soundsGood = "sounds? (?:good|great|fine|reasonable|right)"
)

// opening matches one of the alternatives at the start of a sentence, behind
// at most six words that carry no meaning of their own.
func opening(alternatives ...string) *regexp.Regexp {
	parts := make([]string, len(alternatives))
	for i, a := range alternatives {
		if stem, ok := strings.CutSuffix(a, "*"); ok {
			a = stem + `\w*`
		}
		parts[i] = a
	}
	return regexp.MustCompile(`(?i)^\W*(?:(?:@[\w-]+|this|that|that's|it|it's|its|these|those|is|are|was|were|really|very|so|such|what|quite|a|an|i|we|oh|ah|wow|ha|haha|hey|hi|hello|all|overall|generally|just|think|also|and|much|many|lots|of|do|am|i'm|ok|okay|yes|yeah|no|otherwise)\W+){0,6}(?:` + strings.Join(parts, "|") + `)(?:[^\w]|$)`)
}

// defect is what no approval names: something wrong, or something to be done.
var defect = anyOf("fail*", "break", "breaks", "breaking", "broke", "broken", "crash*", "leak*", "race*", "deadlock*", "overflow*", "incorrect*", "wrong*", "null", "nil", "undefined", "corrupt*", "hang", "hangs", "timeout*", "slow*", "regress*", "exception*", "silently", "ignored", "never", "missing", "unused", "duplicat*", "los(?:e|es|ing|t)", "too (?:long|short|big|small|late|early|many|much)", "off by", "twice", "not", "(?:place|time|candidate|opportunity|reason|idea|spot|case) (?:to|for)")

// praiseCJK has no word boundaries.
var praiseCJK = regexp.MustCompile(`谢谢|感谢|多谢|不错|很好|好的|没问题|赞|已修复|已修改|已解决|ありがとう|いいですね|了解|問題ない|감사합니다|좋아요|좋습니다|수고`)

// report matches a sentence that only reports what its writer did, most often
// in answer to another remark.
var report = regexp.MustCompile(`(?i)^\W*(?:@[\w-]+\W+)?(?:(?:ok|okay|yes|yep|sure|right|(?:good|nice|great) (?:catch|point|call)|thanks|thank you|confirmed(?: [a-z]+)?|just|both|all|and|now)[,.! —–-]+)*(?:` +
	`(?:fixed|addressed|done|resolved|applied|implemented|reverted|pushed|updated|corrected|documented)(?:\W*$|[\s:,.-]+(?:it|in|with|by|via|as|this|that|it|now|here|below|above|everywhere|accordingly|the |and |—|–|-))` +
	`|(?:added|removed|renamed|changed|moved|switched|replaced|narrowed|rewrote|reworked|refactored|simplified|extracted)\b[^.!?]*\b(?:in (?:commit )?[0-9a-f]{7,40}|in (?:the )?(?:latest|last|next|new) (?:commit|push)|as (?:you )?(?:suggested|requested|asked|discussed|proposed)|per (?:your|the|review)|accordingly)` +
	`|(?:i(?:'ve| have)|we(?:'ve| have)|i(?:'ll| will)) (?:just |now |already |also )?(?:fix|address|do|resolv|appl|implement|revert|push|updat|correct|add|remov|renam|chang|mov|switch|replac|narrow|rewritt|rewrit|rework|refactor|simplif|extract|mad|make|tak|look|merg)\w*` +
	`|i (?:had to|ended up|went with|went ahead|decided to|chose to|kept|left|added|removed|renamed|moved|changed|disabled|switched|refactored|updated|fixed)\b` +
	`|(?:switched (?:from|to|over)|narrowed|reworked|rewrote|(?:just|also) (?:extracted|added|removed|renamed|moved|changed|simplified|replaced|refactored))\b` +
	`|(?:will (?:fix|do|address|update|change|look into|take a look))\b` +
	`)`)

// turn matches what turns praise into a remark: a contrast, a wish, a demand.
var turn = anyOf("but", "however", "though", "although", "except", "unless", "should*", "could", "would", "please", "pls", "need", "needs", "must", "instead", "consider", "maybe", "perhaps", "still", "missing", "wrong*", "broken", "fail*", "one thing", "only thing", "(?:nice|good|great) to have", "nit", "nitpick", "not sure", "wonder*", "concern*", "worr(?:y|ied)", "might", "ought", "rather", "otherwise", "let's", "lets", "isn't", "aren't", "doesn't", "don't", "didn't", "won't", "can't", "cannot", "shouldn't", "wouldn't", "couldn't", "why", "how come", "what if", "because", "since", "so that", "to avoid", "prefer*", "suggest*", "recommend*", "better", "question")

// style holds what a comment can say about layout, spelling and wording. White
// space, blank lines and formatting are also what programs work on, so they
// count only beside a word that makes them the reviewer's business.
var style = anyOf(
	"(?:trailing|unnecessary|extra|unrelated|stray|fix|remove|revert|missing) white ?spaces?", "white ?spaces? (?:change*|only|noise|diff*|nit|nits|issue*)", "trailing (?:spaces?|new ?lines?|commas?)",
	"(?:extra|additional|superfluous|double|stray|redundant|unneeded|unnecessary|unrelated|remove|delete|drop|add|missing|needs?|nit) (?:an? |this |the |that |these |one |some )?(?:extra |more |trailing |final )?(?:blank |empty |new )?(?:lines?|spaces?|newlines?)(?: (?:here|above|below|before|after|between|at|in|to|from|please|between)[^.]*)?", "(?:blank|empty) lines? (?:here|above|below|before|after|between|at)", "new ?line at (?:the )?(?:end|eof|bottom)", "end of (?:the )?file new ?line", "spaces? (?:before|after|around|between) (?:the |this |these )?(?:colon|comma|brace|bracket|parenthes|operator|equal|arrow|`code`)\\w*",
	"indent*", "mis-?align*", "tabs? (?:vs|instead|and|or|to|for) *(?:of )?spaces?", "line[- ](?:length|wrap*)", "line (?:is )?too long", "(?:long|wrap|break) (?:these |this |the |those )?lines?", "wrap (?:at|lines?)", "(?:lines?|wrap\\w*|width|columns?)[^.]{0,30}(?:80|88|100|120)",
	"(?:sort|order|group|reorder|organi[sz]e|re-?arrange)(?:ed|ing)? (?:of )?(?:the |these |your |all )?imports?", "imports? (?:order*|sort*|group*|style)", "imports? (?:go|goes|should go|should be|belong) (?:on|at|to|in) (?:the )?(?:top|bottom|order|\\w+ block|\\w+ group)", "(?:wild ?card|star|static) imports?", "(?:imports?|keep|sort|order|put|list|arrange|in)[^.]{0,30}(?:alphabetic\\w*|alphabeti[sz]\\w*|alpha order)",
	"gofmt", "goimports", "prettier", "isort", "rustfmt", "clang-format", "ktlint", "spotless", "black formatt\\w+", "code ?style", "coding (?:style|convention|standard)s?", "style ?guides?", "stylistic*", "matter of taste", "bikeshed*", "style (?:nit|only|wise|preference|issue)s?", "cosmetic*", "(?:fix|check|wrong|bad|weird|odd|inconsistent|revert|code|source) (?:the |this |these )?formatting", "formatting (?:nit|nits|issue|issues|change|changes|only|looks|seems|here is|is (?:off|wrong|odd|weird|inconsistent)|does(?:n't| not) match)", "reformat*", "auto-?format*", "linters? (?:complain*|error*|warning*|issue*|rule*)", "(?:prefer|use) (?:the |this |that )?(?:syntax|style)(?: of| over)?", "prefer\\w* [^.]{0,30}syntax",
	"(?:single|double|smart|straight|curly) ?quot\\w+", "quot\\w+ style", "semi-?colons?", "curly ?braces?", "brace style", "parenthes[ie]s style",
	"typos?", "spelling", "spelled", "mis-?spel\\w+", "grammar*", "grammatical*", "punctuat*", "full ?stops?", "(?:a |the )?periods? at the end", "(?:end|ends|ending) (?:with|in) a (?:period|dot|full stop)", "oxford comma", "capitali*", "title case", "sentence case", "apostrophe*", "hyphenat*", "wording", "re-?word*", "re-?phras*", "phrasing", "word choice", "verbiage", "awkward(?:ly)?(?: worded| phras\\w+)?", "contractions?", "as a verb", "reads? (?:nicer|more naturally)", "british|american (?:english|spelling)",
)

// consequence holds what is never style: something happens, or does not.
var consequence = anyOf("fail*", "break", "breaks", "breaking", "broke", "broken", "crash*", "throw", "throws", "raise", "raises", "panic*", "leak*", "race*", "deadlock*", "overflow*", "incorrect*", "wrong (?:result|value|output|type|order|key|path|url|name|variable|function|method)", "null*", "nil", "undefined", "secur*", "vulnerab*", "inject*", "corrupt*", "infinite*", "hang", "hangs", "timeout*", "performan*", "slow*", "regress*", "compat*", "exception*", "silently", "ignored", "bug", "bugs", "test", "tests", "untested", "behavi*", "at run ?time", "compile*", "never", "always", "mismatch*", "none", "returns?", "lookups?", "not (?:called|used|sent|set|found|matched|applied|trimmed|escaped)", "wrong (?:parent|level|scope|block|branch|place)", "eager*", "counted", "stripped", "mislead*", "deprecat*", "public api", "breaking change")

// reportedIn matches a report that names its commit: nothing after it is a
// remark of its own, however it sounds.
var reportedIn = regexp.MustCompile("(?i)\\b(?:fixed|addressed|resolved|done|documented|implemented|corrected|applied|updated|reverted)\\b[^.!?\n]{0,60}\\b(?:in|by|with) (?:commit )?(?:[0-9a-f]{7,40}\\b|`code`|(?:the |my )?(?:latest|last|next) (?:commit|push))")

// complaint keeps a remark that opens like a report from being one.
var complaint = anyOf("but", "however", "though", "although", "not sure", "wrong*", "fail*", "break*", "broke", "broken", "crash*", "regress*", "leak*", "concern*", "worr(?:y|ied)")

// nit marks a remark as small by its writer's own word.
var nit = regexp.MustCompile(`(?i)^\W*(?:(?:very |super[- ]?|tiny |small |minor |ultra[- ]?|micro[- ]?|mega[- ]?)*(?:nit|nits|nitpick|nitpicks|nitpicking|nit-pick|minor|style|cosmetic|typo|polish|quibble|trivial|bikeshed)\b)`)

// naming holds what a remark about a name says.
var naming = anyOf("renam*", "name", "names", "naming", "call (?:it|this|these|them)")

// restructures holds what makes a remark with a name in it more than a remark
// about a name.
var restructures = anyOf("mov(?:e|es|ed|ing)", "extract*", "reus(?:e|es|ed|ing)", "shar(?:e|es|ed|ing)")

// reasons are how a reason is given.
var reasons = anyOf("because", "since", "as it", "as this", "as the", "so that", "otherwise", "confus*", "mislead*", "ambig*", "shadow*", "conflict*", "clash*", "collid*", "consisten*", "inconsisten*", "clear*", "unclear", "suggests?", "implies", "imply", "impl(?:y|ies) that", "sounds like", "reads (?:like|as)", "symmetr*", "generic", "to avoid", "the rest of", "elsewhere", "other places", "match*", "convention*")

// asking holds the polite forms of a mere question, taken out before a
// question is searched for a proposal.
var asking = regexp.MustCompile(`(?i)\b(?:can|could|would|will) (?:you|we|someone|anyone|anybody|u) (?:please |pls |maybe |also |briefly )*(?:explain|clarify|elaborate|tell|share|describe|comment on|help me|remind|enlighten|walk me|say|give (?:me |us )?(?:some |more )?(?:context|details|background))\b|\b(?:just )?(?:out of curiosity|curious|wondering|for my (?:own )?(?:understanding|education|curiosity))\b|\bmay i (?:ask|know)\b|\bif you don't mind\b`)

// clarifying holds more such forms, and doubt a concern in the form of a question;
// see Clarifications.
var (
	clarifying = regexp.MustCompile(`(?i)\b(?:can|could|would|will) (?:you|we|someone|anyone|anybody) (?:please |pls )*(?:(?:double|cross)[- ])?(?:check|confirm)\b|\bwhat alternatives? (?:do|did|would|could) (?:we|you) have\b`)
	doubt      = anyOf("are (?:we|you) sure")
)

// proposal and concern are what makes a question more than one.
var (
	proposal = anyOf("should*", "could", "can (?:we|you|this|it|that|i|the)", "can't (?:we|you|this|it)", "would (?:it|you|this|we|that)", "wouldn't", "couldn't", "how about", "what about", "wdyt", "why not", "why (?:don't|doesn't|isn't|aren't|can't|couldn't|not)", "instead", "maybe", "perhaps", "consider*", "better", "rather", "alternative*", "might", "do we (?:want|need) (?:to|a|an|more)", "do you want", "mind (?:if|\\w+ing)", "would like", "worth", "prefer*", "suggest*", "propos*", "recommend*", "need to", "needs? (?:a|an|to|more)", "let's", "lets", "simply", "just (?:use|call|return|pass|do|make|have|not)", "not just", "drop", "please", "pls", "any (?:interest|chance|way|thoughts on)", "point of")
	concern  = anyOf("what (?:happens|if|would happen|will happen|about when)", "what's the (?:expected|point)", "if", "when", "unless", "until", "isn't", "aren't", "doesn't", "don't", "didn't", "won't", "can't", "cannot", "hasn't", "haven't", "not", "never", "no", "without", "missing", "los(?:e|es|ing|t)", "break*", "broken", "fail*", "crash*", "leak*", "race*", "duplicat*", "already", "twice", "same", "differ*", "consisten*", "inconsisten*", "right", "any reason (?:we|you|it|this|to)", "wrong", "intentional*", "intended", "intend", "on purpose", "by design", "deliberate*", "accident*", "left ?over", "safe*", "guarantee*", "correct*", "really", "actually (?:need|use|do|work)*", "mean(?:s)? that", "impl(?:y|ies) that", "necessary", "unnecessar*", "redundan*", "unused", "dead", "risk*", "problem*", "issue*", "concern*", "conflict*", "bug*", "overflow*", "slow*", "expensive", "deprecat*", "possible", "possibly", "ever", "always", "still", "forgot*", "forget", "oversight", "mistake*", "typo", "supposed", "expect*", "only", "compat*", "support*", "handle*", "secur*", "i (?:think|thought|see|noticed|believe)", "seem*", "looks like", "because", "since", "in case", "in which case")
)

// neutral sentences greet or call somebody.
var neutral = regexp.MustCompile(`(?i)^\W*(?:hi|hey|hello|dear|cc|ping|fyi|/cc|edit|ps|p\.s)?\W*(?:@[\w-]+\W*)*$`)

// identifier matches code that stands in prose without backticks: camelCase,
// snake_case, calls, dotted names, file names, paths, flags, variables,
// operators, versions.
var identifier = regexp.MustCompile(`\b[a-z]+[a-z0-9]*[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|\b\w+\(\w*\)|\b[A-Za-z]\w+\.[A-Za-z]\w+\b|\b\w[\w-]*\.(?:py|js|jsx|ts|tsx|go|java|md|rst|json|ya?ml|toml|xml|html|css|sh|txt|cfg|ini|sql|proto|c|h|cc|cpp|rs|rb|kt)\b|(?:^|\s)\.{0,2}/?(?:[\w.-]+/){2,}[\w.-]*|(?:^|\s)--?[a-z][\w-]+|\$\{?\w+|[=!<>]=|=>|->|&&|\|\||::|\bv?\d+\.\d+(?:\.\d+)*\b`)
