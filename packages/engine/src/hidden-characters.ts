import { invalidField } from "@gateway/contract";

/** Invisible characters, and those that change the direction of their neighbours. Joiners of emoji are exempt. */
const hiddenClass = String.raw`\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u2800`;
const joins = String.raw`(?<=\p{Emoji})\uFE0F|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Emoji})`;
const hidden = new RegExp(`[${hiddenClass}]`, "gu");
const joining = new RegExp(joins, "gu");

/** One character of a name without hidden ones, for the pattern by which a browser checks a field. */
export const plainCharacter = `(?:${joins}|[^${hiddenClass}])`;

export function hasHiddenCharacters(name: string): boolean {
  return name.replaceAll(joining, "").search(hidden) !== -1;
}

/** For names that others read on our pages. */
export function refuseHiddenCharacters(name: string): void {
  if (hasHiddenCharacters(name)) {
    throw invalidField("name", "must not hold characters that cannot be seen or that change the direction of text");
  }
}

/** For names that were accepted before such characters were refused. */
export function showHiddenCharacters(name: string): string {
  return hasHiddenCharacters(name) ? name.replaceAll(hidden, "\uFFFD") : name;
}
