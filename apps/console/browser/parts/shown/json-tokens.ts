/**
 * The coloured tokens of JSON, in one line or many. A string may lack its end, because the user may still be typing it.
 */
export const jsonTokens = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

export function classOfToken([, quoted, colon]: RegExpMatchArray): string {
  return quoted === undefined ? "json-number" : colon === undefined ? "json-string" : "json-name";
}
