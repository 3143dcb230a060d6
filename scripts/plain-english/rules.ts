import type { Kind } from "./text.ts";

/** A rule about words. Its pattern is matched with a paragraph on one line, with code and quotations masked. */
export type Rule = {
  id: string;
  pattern: RegExp;
  /** The replacement to write: the end of the finding's message. */
  write: string;
  /** Without it, the rule holds for all kinds of text. */
  kinds?: readonly Kind[];
  /** Holds only where a comment or a description begins. */
  opening?: true;
};

const referenceText: readonly Kind[] = ["comment", "description"];
const beginning = "(?<=^|[.!?] )";

const openings: Rule[] = [
  {
    id: "opening-of",
    pattern: /^Of\b/,
    write: "begin with the noun: The wallets of ...",
    kinds: referenceText,
    opening: true,
  },
  { id: "opening-as", pattern: /^As\b/, write: "begin with the noun or the verb", kinds: ["comment"], opening: true },
  {
    id: "opening-in",
    pattern: /^In\b/,
    write: "begin with the noun or the verb, and end with the place",
    kinds: ["comment"],
    opening: true,
  },
  { id: "opening-by", pattern: /^By\b/, write: "begin with the noun: Values by id", kinds: ["comment"], opening: true },
  {
    id: "opening-where",
    pattern: /^Where\b/,
    write: "name the place or the condition: The folder of ..., When ...",
    kinds: ["comment"],
    opening: true,
  },
  {
    id: "opening-who",
    pattern: new RegExp(`^Who(?:ever|se|m)?\\b(?![^.]*\\?)`),
    write: "name the person or program: The caller, A user who ...",
    kinds: referenceText,
    opening: true,
  },
  {
    id: "opening-what",
    pattern: /^(?:What|Whatever|Which)\b(?![^.]*\?)/,
    write: "name the thing: The amount, Settings of ..., Reason for ...",
    kinds: referenceText,
    opening: true,
  },
  {
    id: "opening-one-that",
    pattern: /^(?:One|Those|That|All|Nothing|Somebody|Nobody) (?:that|which|who|of which)\b/,
    write: "name the thing: A wallet that ...",
    kinds: referenceText,
    opening: true,
  },
  {
    id: "opening-it-is-what",
    pattern: /^(?:It|This|That) is what\b|^Is what\b/,
    write: "name the thing, then say what it does",
    opening: true,
  },
  {
    id: "opening-so-many",
    pattern: /^So (?:many|long|much|often|few|far)\b(?! as)(?![^.]*\bthat\b)/,
    write: "The number of ..., The time for which ...",
    kinds: referenceText,
    opening: true,
  },
  {
    id: "subject-what",
    pattern: new RegExp(`${beginning}(?:What|Who|Whoever|Whatever) [^?.!]*[\\w)][.;,]`),
    write: "name the subject: The request, The caller ...",
    kinds: ["message"],
  },
];

const people: Rule[] = [
  {
    id: "somebody-else",
    pattern: /\b(?:some|any|every|no)(?:body|one) else(?:'s)?\b/i,
    write: "external, another owner's, other accounts",
  },
  { id: "nobody", pattern: /\bnobody\b(?! else)/i, write: "negate the verb: No user is signed in, It is not assigned" },
  { id: "somebodys", pattern: /\b(?:any|some|every)body's\b/i, write: "say whose: the caller's, another account's" },
  {
    id: "who-calls",
    pattern:
      /(?<!\b(?:person|people|users?|owners?|those|members?|operators?|one|of|customers?|attackers?|someone|somebody|anybody|anyone|everyone|callers?|to|by|for) )\bwho (?:calls|asks)\b/i,
    write: "the caller",
  },
  {
    id: "one-as-you",
    pattern:
      /\b(?:what|where|how) one (?:is|has|can|may|must|wants?|needs?|does|would|sees?|asked|reads?|types?|looks?)\b|\b(?:as|than) one (?:can|must|would)\b|\b(?:when|if) one (?:wants|sees|reads|types|looks)\b/i,
    write: "you, the user",
  },
  { id: "whoever", pattern: /\bwho(?:m|so)?ever\b/i, write: "the caller, the person who, anyone who" },
  {
    id: "somebody",
    pattern:
      /\b(?:some|any|every)body (?:has|is|was|who|may|must|will|would|can|does|had|asked|asks|wants|reads|writes|made|signs)\b/i,
    write: "say who: a user, the caller, an owner, another process",
  },
  {
    id: "preposition-who",
    pattern: /\b(?:of|to|by|for|from|with|on|at) who\b(?! (?:you|they|I) )/i,
    write: "the person who, the caller",
  },
];

const words: Rule[] = [
  { id: "under-way", pattern: /\bunder way\b/i, write: "in flight, running, in progress" },
  {
    id: "on-its-way",
    pattern: /\b(?:is|are|was|were) (?:still |already )?on (?:its|their) way\b/i,
    write: "in flight, loading, pending",
  },
  {
    id: "worth",
    pattern:
      /\bworth (?:nothing|something|what)\b|\bwhat (?:(?:an? |the )?(?:tokens?|sessions?|keys?|grants?|links?|credentials?|cursors?|secrets?|scopes?)|none) (?:is|are|was|were) worth\b/i,
    write: "valid for, grants, opens",
  },
  {
    id: "for-as-because",
    pattern:
      /[,;] for (?:it|they|he|she|we|there|nothing|nobody|somebody|everybody|none|neither)\b(?! (?:to|else|who|that|alone|only)\b)|, for (?:the|a|an|each|every|no|its|their|our|only|one|two|both|all|such|this|that|these|those|CODESPAN)\b(?:(?! (?:that|which|who|when|where|to)\b) [\w'-]+){0,4} (?:is|are|was|were|has|have|had|would|may|must|can|cannot|could|does|do|did|will|knows?|needs?|counts?|comes?|holds?)\b/i,
    write: "because, or a new sentence",
  },
  {
    id: "any-more",
    pattern: /\b(?:no|nothing|nobody|none)\b[^.;:,]*\bany ?more\b/i,
    write: "negate the verb: no longer",
  },
  {
    id: "all-that",
    pattern:
      /\ball that (?:is|are|was|were|has|had|it|they|we|you|the|a|an|one|can|may|must|needs?|comes?|people|goes|stands|happens|happened)\b/i,
    write: "everything that, all ...",
  },
  {
    id: "lies",
    pattern: /\b(?:lies|lie) (?:in(?! the (?:future|past))|at|there|under|behind|within)\b/i,
    write: "is in, is stored in",
  },
  {
    id: "is-taken",
    pattern:
      /\b(?:tokens?|keys?|credentials?|requests?|values?|codes?|cursors?|answers?|secrets?|signatures?|bodies|body|orders?) (?:is|are|was|were) (?:not |never |still |no longer )?taken(?! (?:from|back|out|over|away|as|up|into|at|down|off|apart|together|care|by|already))\b/i,
    write: "accepted",
  },
  {
    id: "a-text",
    pattern: /\b(?:a|any|random|in) text\b(?! (?:of|field|file|message|editor|about|alternative|column|for))/i,
    write: "a string",
    kinds: referenceText,
  },
  {
    id: "answers-with",
    pattern: /\banswers? (?:with )?(?:\d{3}|null|true|false|undefined)\b/i,
    write: "returns, responds with",
  },
  {
    id: "a-thing",
    pattern: /(?<!\b(?:such|same) )\b(?:a|the|this|that|each|which|new|every|another|of) things?\b(?! (?:as|like))/i,
    write: "resource, object, record",
  },
  {
    id: "is-there",
    pattern:
      /(?<!\b(?:what|who|that|which|where|to) )\b(?:is|are|was|were) (?:not |still |already |no longer )?there(?=[.,;:)]|$)/i,
    write: "exists, is available",
  },
  {
    id: "time-of-then",
    pattern: /(?<!ahead )\bof (?:then|now|before)(?=[.,;:)]|$)/i,
    write: "at that time, current, previous",
  },
  {
    id: "in-no",
    pattern:
      /\b(?:in|on) no (?:transaction|log|list|event|gap|table|page|order that|promised|fact|file|address|row)\b/i,
    write: "negate the verb: never in a transaction",
  },
  {
    id: "is-what",
    pattern: /\b(?:it|they|these|those|CODESPAN) (?:is|are|was|were) what\b/i,
    write: "name the thing, then say what it does",
  },
  { id: "nothing-of", pattern: /\bnothing of\b/i, write: "no part of, none of" },
  { id: "hears-of", pattern: /\bhears? of\b|\bheard of\b/i, write: "is notified of, receives" },
  {
    id: "as-many-as-may",
    pattern: /\bas many as (?:(?:it|they|there|one|an? \w+) )?may\b/i,
    write: "the maximum number, at most",
  },
  {
    id: "also-when",
    pattern: /(?<=^|[,;:.] )also (?:when|where|one|those|what|if|of|for|by|to|in|with|on)\b/i,
    write: "even when, including",
  },
  { id: "held-against", pattern: /\bheld against\b/i, write: "validated against, compared with" },
  { id: "runs-out", pattern: /\b(?:runs?|ran) out\b(?! of)/i, write: "expires, expired" },
  { id: "dearer", pattern: /\bdearer\b|\bdearest\b/i, write: "more expensive, slower" },
  { id: "sees-to", pattern: /\bsees? to (?:it|that)\b/i, write: "ensures" },
  { id: "hangs-on", pattern: /\bh(?:angs?|ung) on (?!to\b)/i, write: "depends on" },
  { id: "told", pattern: /\btold\b(?! apart)/i, write: "reported, recorded, notified, received" },
  { id: "tells-of", pattern: /\btells? of\b/i, write: "reports" },
  { id: "beside", pattern: /\bbesides?\b/i, write: "next to, together with, in addition to" },
  { id: "twins", pattern: /\btwins?\b/i, write: "duplicate, counterpart, the same fault elsewhere" },
  { id: "proven", pattern: /\bproven\b/i, write: "verified, proved, shown" },
  {
    id: "negated-noun",
    pattern:
      /(?<!\bthere )\b(?:is|are|was|were|be|being) no (?!longer\b|more\b|less\b|later\b|earlier\b|sooner\b|one\b|other\b|matter\b|different\b|use\b|need\b|better\b|worse\b|way\b|fewer\b|older\b|newer\b|such\b)[\w-]+/i,
    write: "negate the verb: is not a ...",
  },
  {
    id: "no-more",
    pattern:
      /\b(?:is|are|be|was|were|does|do|may|can|has|have|it|they) no more\b(?! than)|\b(?:signs?|counts?|works?|opens?|needed|there|used|exists?|runs?|shown|taken|asked) no more\b(?! than)/i,
    write: "no longer",
  },
  {
    id: "came-of",
    pattern:
      /\b(?:what|whatever|which|nothing|that|how much|how many) (?:\w+ )?(?:becomes?|became|comes?|came) of\b|\b(?:becomes?|became) of\b/i,
    write: "the outcome of, the result of, the state of",
  },
  { id: "of-ours", pattern: /\bof (?:ours|yours|theirs|his|hers)\b/i, write: "our, your, their" },
  { id: "but-for", pattern: /\bbut for\b/i, write: "except, apart from" },
  { id: "place-of", pattern: /\bin the (?:place|stead) of\b/i, write: "instead of" },
  {
    id: "from-on",
    pattern: /\bfrom (?!now\b|then\b|here\b|there\b)(?:[\w.,'-]+ ){1,5}on(?=[,.;:)]|$)/i,
    write: "since, starting at, or more",
  },
  { id: "for-ever", pattern: /\bfor ever\b/i, write: "forever, permanently, never expires" },
  {
    id: "is-good",
    pattern: /\b(?:is|are|stays?|was|were|be) (?:still )?good\b(?! (?:enough|practice|to|at|idea))/i,
    write: "valid",
  },
  {
    id: "goes-on",
    pattern: /\b(?:goes|go|went|going|gone) on (?!the\b|a\b|an\b|its\b|top\b)/i,
    write: "continues, keeps",
  },
  {
    id: "the-outside",
    pattern: /\b(?:the|simulated|its|an) outside\b(?! (?:of|world|air|address))/i,
    write: "external systems",
  },
  {
    id: "stands",
    pattern: /\b(?:stands?|stood) (?:in(?! for)|at|on|there|above|below|where|behind|under|before|after)\b/i,
    write: "is, is written, appears",
  },
  { id: "is-said", pattern: /\b(?:is|are|was|were|be) said\b/i, write: "reported, stated, written" },
  {
    id: "is-over",
    pattern:
      /\b(?:time|hours?|days?|minutes?|window|overlap|lease|life) (?:is|are|was|were) over\b|\btime (?:has|had) come\b|\bwhen its time comes\b/i,
    write: "expired, ended, due",
  },
  {
    id: "is-of",
    pattern:
      /\b(?:is|are|was|were) (?:not )?of (?:the|a|an|this|that|another|one|no|our|your|which|its|theirs?|them|CODESPAN)\b(?! (?:type|kind|form|order|size|length|same|opinion|interest|use))/i,
    write: "belongs to, has",
  },
  { id: "elder", pattern: /\belder\b/i, write: "older, earlier" },
  { id: "anew", pattern: /\banew\b/i, write: "again" },
  {
    id: "of-what",
    pattern:
      /\b(?:of|from|with|by|for|to|on|at|about) what (?:is|was|are|were|it|they|he|she|the|a|an|comes?|came|has|had|one|they|you|we|stands|would|may|can|must|people|happens|happened)\b/i,
    write: "name the thing: of the request, from the settings",
  },
  {
    id: "that-there-is",
    pattern: /\bthat there (?:is|are|was|were|may be|will be)(?=[.,;:)]|$)/i,
    write: "existing, exists",
  },
  { id: "that-which", pattern: /\bthat which\b/i, write: "the one that" },
  { id: "never-was", pattern: /\bnever (?:was|were)(?=[.,;:)]|$)/i, write: "does not exist, never existed" },
  {
    id: "is-asked",
    pattern: /\b(?:is|are|was|were|be) (?:not |never )?asked\b(?! (?:to|for|whether|if|about|that|again))/i,
    write: "called, queried, requested",
  },
  {
    id: "what-was-asked",
    pattern: /\bwhat (?:was|is|were|are|you|they|it|he|she|the \w+) (?:is |was |are )?ask(?:ed|s)?\b/i,
    write: "the request",
  },
  {
    id: "is-another",
    pattern: /\b(?:is|are|was|were) another(?=[.,;:)]| now\b| than\b|$)/i,
    write: "differs, has changed",
  },
  {
    id: "answer",
    pattern:
      /\b(?:an?|the|its|our|every|each|this|first|last|later|whose|no|such|one|any|of|in|their|with) answers?\b(?! (?:is|was)? ?(?:yes|no)\b)/i,
    write: "response, result",
  },
  {
    id: "as-it-were",
    pattern:
      /\bby so (?:much|many|few)\b|\bso (?:many|much) (?:less|more|later|sooner)\b|\b(?:after|for|in|at most|every|since|with) so (?:many|long|much)\b(?! (?:that|as)\b)/i,
    write: "say the amount",
  },
  {
    id: "it-may-be",
    pattern: /\bmay be none\b|\bmay be nothing\b|\bmay stay empty\b/i,
    write: "optional, may be empty",
  },
];

export const rules: readonly Rule[] = [...openings, ...people, ...words];
