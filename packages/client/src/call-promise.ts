import type { PublishedSchemas as Schemas } from "@gateway/contract/published";

/** A success: the opened envelope, and its response, whose body is read. */
export type Opened<Data, Meta = Schemas["Meta"]> = { data: Data; meta: Meta; response: Response };

/** The data of a success. */
export interface CallPromise<Data> extends Promise<Data> {
  /** The data with its context: `meta.requestId`, which names the request, and the `response` with its headers. */
  withResponse(): Promise<Opened<Data>>;
}

export function createCallPromise<Data>(opened: Promise<Opened<Data>>): CallPromise<Data> {
  const data = opened.then((one) => one.data);
  const withResponse = (): Promise<Opened<Data>> => {
    // A failure is thrown where the result is awaited, and is not unhandled here.
    data.catch(() => {});
    return opened;
  };
  return Object.assign(data, { withResponse });
}
