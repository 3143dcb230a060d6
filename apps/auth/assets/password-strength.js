/**
 * Rates a password while the user types it. The server decides (`judgePassword`), and a password that it refuses is
 * never rated better than easy to guess. `minLength` and `common` come from the server.
 */
export function strengthOf(password, { minLength, common, own = [] }) {
  const text = password.normalize("NFKC");
  const characters = Array.from(text);
  const missing = minLength - characters.length;
  if (missing > 0) {
    return { level: 0, word: missing === 1 ? "Too short: 1 character more" : `Too short: ${missing} characters more` };
  }
  if (isTriedFirst(text, [...common, ...own.map(bareOf)])) {
    return { level: 0, word: "Easy to guess: it is tried first" };
  }
  const variety = new Set(characters).size;
  if (variety < 6) {
    return { level: 1, word: "Weak: few different characters" };
  }
  return characters.length >= 20 && variety >= 10
    ? { level: 3, word: "Strong" }
    : characters.length >= 16
      ? { level: 2, word: "Good" }
      : { level: 1, word: "Fair: longer is better" };
}

function isTriedFirst(text, words) {
  const bare = bareOf(text);
  const codes = Array.from(text, (character) => character.codePointAt(0));
  const steps = new Set(codes.slice(1).map((code, index) => code - codes[index]));
  const isMadeOf = (word) => word !== "" && bare.startsWith(word) && /^\d*$/.test(bare.split(word).join(""));
  return steps.size <= 1 || new Set(codes).size <= 2 || words.some(isMadeOf);
}

function bareOf(text) {
  return text
    .toLowerCase()
    .replaceAll("@", "a")
    .replaceAll("$", "s")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
