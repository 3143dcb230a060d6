import { createRequestIds } from "@gateway/kernel";
import type { AnswerUnreadable } from "@gateway/process";
import type { AuthObserver } from "./observer.ts";

/** Responds to unreadable bytes with an OAuth error, because browsers do not send them. */
export function answerUnreadableRequest({
  observer,
}: {
  observer: Pick<AuthObserver, "unreadableRequest">;
}): AnswerUnreadable {
  const nextRequestId = createRequestIds();
  return ({ reason, error }) => {
    const requestId = nextRequestId();
    const status = reason === "headersTooLarge" ? 431 : 400;
    observer.unreadableRequest(requestId, status, error);
    return {
      status,
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "X-Request-Id": requestId,
      },
      body: JSON.stringify({ error: "invalid_request", error_description: "The request could not be read." }),
    };
  };
}
