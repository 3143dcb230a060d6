/** Pages that signing in may lead to: ours only, so that no link of ours leads anywhere else. */
const pattern =
  /^\/(?:account(?:\/[\w-]+){0,3}|interaction\/[\w-]{1,64}|account\/email\/confirm\?token=[\w-]{43}|invitations\/accept\?token=[\w-]{43})$/;

/** Null for what is no such page, and for nothing. */
export function readNextPage(text: string | null): string | null {
  return text !== null && pattern.test(text) ? text : null;
}

export function leadingTo(path: string, next: string | null): string {
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
}
