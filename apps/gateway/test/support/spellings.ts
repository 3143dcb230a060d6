export type Spelling = {
  name: string;
  /** The request target, made from the path as the document has it; raw bytes as Latin-1. */
  spell(path: string): string;
  /** The status for a caller with a valid key. */
  status: 400 | 404;
};

/**
 * Ways to write a path, by a client, a proxy or an attacker, that some reader could mistake for the document's path.
 */
export const misspellings: readonly Spelling[] = [
  { name: "all capitals", spell: (path) => path.toUpperCase(), status: 404 },
  { name: "one capital", spell: (path) => path.replace("/api", "/Api"), status: 404 },
  { name: "a slash at the end", spell: (path) => `${path}/`, status: 404 },
  { name: "two slashes at the end", spell: (path) => `${path}//`, status: 404 },
  { name: "two slashes in front", spell: (path) => `/${path}`, status: 404 },
  { name: "two slashes inside", spell: (path) => path.replace("/v1/", "//v1/"), status: 404 },
  { name: "doubled slashes", spell: (path) => path.replaceAll("/", "//"), status: 404 },
  { name: "a host in front", spell: (path) => `//localhost${path}`, status: 404 },
  { name: "an encoded letter", spell: (path) => path.replace("/api", "/%61pi"), status: 404 },
  { name: "every letter encoded", spell: (path) => path.replaceAll(/[a-z]/g, encodeByte), status: 404 },
  { name: "a letter encoded twice", spell: (path) => path.replace("/api", "/%2561pi"), status: 404 },
  { name: "encoded slashes", spell: (path) => `/${path.slice(1).replaceAll("/", "%2F")}`, status: 404 },
  { name: "an encoded slash in front", spell: (path) => path.replace("/", "/%2f"), status: 404 },
  { name: "an encoded slash at the end", spell: (path) => path.replace("/v1/", "/v1%2F"), status: 404 },
  { name: "a dot segment", spell: (path) => path.replace("/v1/", "/./v1/"), status: 404 },
  { name: "an encoded dot segment", spell: (path) => path.replace("/v1/", "/%2e/v1/"), status: 404 },
  { name: "a way up", spell: (path) => path.replace("/v1/", "/v2/../v1/"), status: 404 },
  { name: "an encoded way up", spell: (path) => path.replace("/v1/", "/v2/%2e%2e/v1/"), status: 404 },
  { name: "a wholly encoded way up", spell: (path) => path.replace("/v1/", "/v2%2f..%2fv1/"), status: 404 },
  { name: "a way up in front", spell: (path) => `/..${path}`, status: 404 },
  { name: "a way up with a path parameter", spell: (path) => path.replace("/v1/", "/v2/..;/v1/"), status: 404 },
  { name: "a path parameter inside", spell: (path) => path.replace("/api", "/api;x=1"), status: 404 },
  { name: "a backslash for each slash", spell: (path) => path.replaceAll("/", "\\"), status: 400 },
  {
    name: "backslashes after the first slash",
    spell: (path) => `/${path.slice(1).replaceAll("/", "\\")}`,
    status: 404,
  },
  { name: "an encoded backslash", spell: (path) => path.replace("/v1/", "%5Cv1%5C"), status: 404 },
  { name: "another version", spell: (path) => path.replace("/v1/", "/v2/"), status: 404 },
  { name: "no version", spell: (path) => path.replace("/v1/", "/"), status: 404 },
  { name: "one more segment", spell: (path) => `${path}/x/y`, status: 404 },
  { name: "a prefix", spell: (path) => `/x${path}`, status: 404 },
  { name: "a query before the path", spell: (path) => `?${path}`, status: 400 },
  { name: "a query instead of the path", spell: (path) => `/?${path}`, status: 404 },
  { name: "an encoded question mark", spell: (path) => `/%3F${path}`, status: 404 },
  { name: "a fragment", spell: (path) => `${path}#x`, status: 400 },
  { name: "a fragment in front", spell: (path) => `/#${path}`, status: 400 },
  { name: "the absolute form", spell: (path) => `http://localhost${path}`, status: 400 },
  { name: "the absolute form with TLS", spell: (path) => `https://localhost${path}`, status: 400 },
  { name: "the absolute form in capitals", spell: (path) => `HTTP://LOCALHOST${path}`, status: 400 },
  { name: "the absolute form without a host", spell: (path) => `http://${path}`, status: 400 },
  { name: "the absolute form with a host that is none", spell: (path) => `http://[::1](${path}`, status: 400 },
  { name: "the absolute form with a port alone", spell: (path) => `http://:80${path}`, status: 400 },
  { name: "the absolute form with a user alone", spell: () => "http://@", status: 400 },
  { name: "the absolute form with a query alone", spell: (path) => `http://?${path}`, status: 400 },
  { name: "another scheme", spell: (path) => `ftp://localhost${path}`, status: 400 },
  { name: "the authority form", spell: () => "localhost:80", status: 400 },
  { name: "the asterisk form", spell: () => "*", status: 400 },
  { name: "no slash in front", spell: (path) => path.slice(1), status: 400 },
  { name: "NUL inside", spell: (path) => path.replace("/v1/", "/v1\0/"), status: 400 },
  { name: "a tab inside", spell: (path) => path.replace("/v1/", "/v1\t/"), status: 400 },
  { name: "overlong slashes", spell: (path) => path.replace("/v1/", "/v1%C0%AF"), status: 404 },
];

/** Additions that other servers cut off. On a path that ends in an id they make the id a malformed one. */
export const endings: readonly string[] = [
  ";x",
  ";jsessionid=1",
  ".",
  ".json",
  "%20",
  "%00",
  "%2F",
  "%3F",
  "%23",
  "\\",
  "~",
  "*",
];

/** Queries by which other servers let a caller choose a method or bring a credential. */
export const queryTricks: readonly string[] = [
  "",
  "?",
  "_method=GET",
  "access_token=abc",
  "api_key=abc",
  "X-API-Key=abc",
  "x-api-key[]=abc",
];

function encodeByte(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}
