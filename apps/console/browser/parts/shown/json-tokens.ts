/** What is coloured of JSON, in one line or many; a string may lack its end, for it may be being written. */
export const jsonTokens = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

export function classOfToken([, quoted, colon]: RegExpMatchArray): string {
  return quoted === undefined ? "json-number" : colon === undefined ? "json-string" : "json-name";
}
