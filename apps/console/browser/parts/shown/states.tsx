import type { ReactNode } from "react";
import { ScreenLink } from "../page/address.tsx";
import { faultOf } from "../../data/calls.ts";
import { signInUrl } from "../../data/session.ts";
import { Icon } from "./icon.tsx";
import { IdLink, Time } from "./values.tsx";
import { useKnownSession } from "../page/session-context.tsx";
import { useSecond } from "../page/use-second.ts";

/** Shows a failure where it happened: its code, its message, the request to quote, and what to do. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { code, message, requestId, docsUrl } = faultOf(error);
  const email = useKnownSession()?.person.email;
  return (
    <div className="failure" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          <code>{code}</code> {message}
        </p>
        <p className="failure-more">
          <AskedAs id={requestId} />
          {docsUrl !== null && <a href={docsUrl}>What this means</a>}
          {code === "FRESH_SIGN_IN_REQUIRED" && (
            <a href={signInUrl({ maxAgeSeconds: 300, ...(email !== undefined && { email }) })}>
              Confirm that it is you
            </a>
          )}
        </p>
      </div>
      {retry && (
        <button type="button" className="button small" onClick={retry}>
          Retry
        </button>
      )}
    </div>
  );
}

function AskedAs({ id }: { id: string | null }) {
  return (
    id !== null && (
      <span>
        Request <IdLink to="/logs" open={id} />
      </span>
    )
  );
}

export type Asked = { isError: boolean; data: unknown; error: unknown; refetch(): unknown };

/** Replaces a part whose response failed and that has no earlier data. The rest of the page stays. */
export function FailedPart({ of }: { of: Asked }) {
  return of.isError && of.data === undefined ? <Failure error={of.error} retry={() => void of.refetch()} /> : null;
}

export function RefusalNote({ code, reason }: { code: string | null; reason?: string | null }) {
  return code === null ? null : (
    <p className="note bad">
      <code>{code}</code> {reason}
    </p>
  );
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <div className="empty-text">{children}</div>}
      {action}
    </div>
  );
}

export function NoSuchScreen() {
  return (
    <Empty
      title="There is no such screen"
      action={
        <ScreenLink to="/" className="button">
          To the overview
        </ScreenLink>
      }
    >
      No screen of this console has this address.
    </Empty>
  );
}

/** Replaces a screen that broke or did not load. Retry reloads the page, because its state may be the cause. */
export function FailedScreen({ error }: { error: unknown }) {
  return (
    <div className="plain-screen">
      <h1>This screen failed</h1>
      <div className="failure" role="alert">
        <Icon name="warning" />
        <div>{String(error)}</div>
        <button type="button" className="button small" onClick={() => location.reload()}>
          Retry
        </button>
      </div>
    </div>
  );
}

/** Rows of their final height. The stylesheet shows them after 150 ms, so that a quick response does not flicker. */
export function LoadingRows({ count = 6 }: { count?: number }) {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className="loading-row" />
      ))}
    </div>
  );
}

export function Waiting({ className = "" }: { className?: string }) {
  return <div className={`waiting ${className}`} role="status" aria-label="Loading" />;
}

export function ScreenOnItsWay() {
  return navigator.onLine ? (
    <LoadingRows />
  ) : (
    <p className="stale" role="status">
      <Icon name="clock" size={14} /> Offline: this screen loads when the network is back.
    </p>
  );
}

export function AsItStood({ updatedAt, loadAgain }: { updatedAt: number; loadAgain(): void }) {
  return (
    <p className="as-of">
      As of <Time at={new Date(updatedAt).toISOString()} seconds />.
      <button type="button" className="button small quiet" onClick={loadAgain}>
        Load again
      </button>
    </p>
  );
}

/** Marks data that is older than it should be. The data stays, with its age. */
export function Stale({ error, updatedAt, retry }: { error: unknown; updatedAt: number; retry(): void }) {
  const nowMs = useSecond();
  // Without a network there is no response to explain.
  const fault = navigator.onLine && error ? faultOf(error) : null;
  const seconds = Math.max(1, Math.round((nowMs - updatedAt) / 1000));
  return (
    <p className="stale" role="status">
      <Icon name="clock" size={14} />
      <span>
        {fault?.code ?? "Offline"}: shown as of {seconds} s ago. {fault?.message}{" "}
        <AskedAs id={fault?.requestId ?? null} />
      </span>
      <button type="button" className="button small quiet" onClick={retry}>
        Retry
      </button>
    </p>
  );
}

type Options<Data> = {
  of: Asked & { data: Data | undefined; isPaused: boolean; dataUpdatedAt: number };
  waiting?: ReactNode;
  rows?: number;
  children(data: Data): ReactNode;
};

/** Shows a response, that it is loading, or why it is missing. An outdated one has its age above it. */
export function Loaded<Data>({ of, waiting, rows = 6, children }: Options<Data>) {
  const retry = (): void => void of.refetch();
  if (of.data === undefined) {
    return of.isError ? <Failure error={of.error} retry={retry} /> : (waiting ?? <LoadingRows count={rows} />);
  }
  return (
    <>
      {(of.isError || of.isPaused) && <Stale error={of.error} updatedAt={of.dataUpdatedAt} retry={retry} />}
      {children(of.data)}
    </>
  );
}
