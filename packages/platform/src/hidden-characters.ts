import { invalidField } from "@gateway/contract";

/**
 * Characters that nobody sees, or that turn around what stands beside them: a name with them can look like another name, or like words
 * of ours. What joins emoji is none of them.
 */
const hidden = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u2800]/gu;
const joining = /(?<=\p{Emoji})\uFE0F|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Emoji})/gu;

export function hasHiddenCharacters(name: string): boolean {
  return name.replaceAll(joining, "").search(hidden) !== -1;
}

/** For names that others read on our pages. */
export function refuseHiddenCharacters(name: string): void {
  if (hasHiddenCharacters(name)) {
    throw invalidField("name", "must not hold characters that cannot be seen or that change the direction of text");
  }
}

/** For names that were taken before such characters were refused. */
export function showHiddenCharacters(name: string): string {
  return hasHiddenCharacters(name) ? name.replaceAll(hidden, "\uFFFD") : name;
}
