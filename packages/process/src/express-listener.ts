import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/** An Express app, or whatever is called as one. */
type ExpressApp = (req: never, res: never, next: () => void) => unknown;

/**
 * The app without Express's last resort, a page of HTML with a stack. A request target that Express cannot parse
 * (`http://@`) would get it before any stage ran: it goes in as `/`, for a stage to refuse it by its original text.
 */
export function createExpressListener(app: ExpressApp): RequestListener {
  return (req: IncomingMessage, res: ServerResponse) => {
    const target = req.url ?? "";
    if (!isOriginForm(target)) {
      Object.assign(req, { originalUrl: target, url: "/" });
    }
    // Express makes them its own by changing their prototypes. What even the last stage could not answer is cut off.
    app(req as never, res as never, () => res.destroy());
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
