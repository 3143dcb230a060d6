type Level = { names: Set<string> | null; at: string };

/**
 * The first member that an object names twice, with dots into nested objects, or null. Readers would not agree on its
 * value (RFC 8259, 4; RFC 7493, 2.3). The text must have been parsed.
 */
export function findRepeatedMember(json: string): string | null {
  const levels: Level[] = [];
  /** Path of the next value. */
  let at = "";
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === "{" || character === "[") {
      levels.push({ names: character === "{" ? new Set() : null, at });
    } else if (character === "}" || character === "]") {
      at = levels.pop()?.at ?? "";
    } else if (character === '"') {
      const end = endOfString(json, index);
      const level = levels.at(-1);
      if (level?.names && isColonNext(json, end)) {
        const name = readString(json.slice(index, end));
        at = level.at === "" ? name : `${level.at}.${name}`;
        if (level.names.has(name)) {
          return at;
        }
        level.names.add(name);
      }
      index = end - 1;
    }
  }
  return null;
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (json[index] !== '"') {
    index += json[index] === "\\" ? 2 : 1;
  }
  return index + 1;
}

function isColonNext(json: string, from: number): boolean {
  let index = from;
  while (json[index] === " " || json[index] === "\n" || json[index] === "\t" || json[index] === "\r") {
    index += 1;
  }
  return json[index] === ":";
}

function readString(quoted: string): string {
  // It is part of a document that was parsed as JSON.
  return quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}
