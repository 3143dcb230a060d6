/** Pages that signing in may lead to. Only our own pages match, so that our links cannot lead to other sites. */
const pattern =
  /^\/(?:account(?:\/[\w-]+){0,3}|interaction\/[\w-]{1,64}|account\/email\/confirm\?token=[\w-]{43}|invitations\/accept\?token=[\w-]{43})$/;

/** Null for any other page, and for null. */
export function readNextPage(text: string | null): string | null {
  return text !== null && pattern.test(text) ? text : null;
}

export function leadingTo(path: string, next: string | null): string {
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
}
