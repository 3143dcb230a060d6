import type { AtEndOfTurn } from "@gateway/kernel";
import type { Dispatcher } from "undici";
import { upstreamInvalidAnswer, upstreamTimeout, upstreamUnavailable } from "./upstream-fault.ts";

export type UpstreamExchange = {
  method: Dispatcher.HttpMethod;
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
  timeoutMs: number;
};

/** A response with a status below 500. The others mean that the upstream does not work. */
export type UpstreamAnswer = { status: number; contentType: string; contentEncoding: string; body: Buffer };

/** The largest accepted response, in bytes. */
const maxAnswerBytes = 5_000_000;

/** Rejects with a Problem. Uses undici's `dispatch`, because a stream and a signal for each response cost time. */
export function exchange(
  dispatcher: Dispatcher,
  { timeoutMs, target, ...request }: UpstreamExchange,
  atEndOfTurn: AtEndOfTurn,
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const answer = { status: 0, contentType: "", contentEncoding: "" };
    let sizeBytes = 0;
    let started: Dispatcher.DispatchController | null = null;
    let isOver = false;
    const settle = (finish: () => void): void => {
      if (!isOver) {
        isOver = true;
        clearTimeout(timer);
        finish();
      }
    };
    const giveUp = (problem: Error): void => {
      settle(() => reject(problem));
      started?.abort(exchangeOver);
    };
    const timer = setTimeout(() => giveUp(upstreamTimeout(new Error(`No response in ${timeoutMs} ms.`))), timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        started = controller;
        if (isOver) {
          controller.abort(exchangeOver);
        }
      },
      onResponseStart: (_controller, status, headers) => {
        // An interim response, such as 103, is skipped.
        if (status >= 200) {
          answer.status = status;
          answer.contentType = String(headers["content-type"] ?? "");
          answer.contentEncoding = String(headers["content-encoding"] ?? "");
        }
      },
      onResponseData: (_controller, chunk) => {
        sizeBytes += chunk.length;
        if (sizeBytes > maxAnswerBytes) {
          giveUp(upstreamInvalidAnswer(`The response has more than ${maxAnswerBytes} bytes.`));
          return;
        }
        chunks.push(chunk);
      },
      onResponseEnd: () =>
        settle(() => {
          if (answer.status >= 500) {
            reject(upstreamUnavailable(new Error(`The upstream answered ${answer.status}.`)));
          } else {
            resolve({ ...answer, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) });
          }
        }),
      onResponseError: (_controller, error) => settle(() => reject(upstreamUnavailable(error))),
    };
    atEndOfTurn(() => {
      if (isOver) {
        return;
      }
      try {
        dispatcher.dispatch({ ...request, path: target }, handler);
      } catch (error) {
        settle(() => reject(upstreamUnavailable(error)));
      }
    });
  });
}

const exchangeOver = new Error("The exchange is over.");
