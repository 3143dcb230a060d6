import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/** An Express app, or whatever is called as one. */
type ExpressApp = (req: IncomingMessage, res: ServerResponse, next: () => void) => unknown;

/** Without Express's page of HTML. A target that Express cannot parse goes in as `/`, for a stage to refuse it. */
export function createExpressListener(app: ExpressApp): RequestListener {
  return (req: IncomingMessage, res: ServerResponse) => {
    const target = req.url ?? "";
    if (!isOriginForm(target)) {
      Object.assign(req, { originalUrl: target, url: "/" });
    }
    // Express makes them its own by changing their prototypes. What even the last stage could not answer is cut off.
    app(req, res, () => res.destroy());
  };
}

/** A path, and no fragment (RFC 9112, 3.2.1): any other request target reaches nothing. */
export function isOriginForm(target: string): boolean {
  return target.startsWith("/") && !target.includes("#");
}

/** Whether a path or a query decodes: `%c0%af` and `%zz` do not. */
export function isPercentEncodedUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
