import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

type IdLinkOptions = {
  to: string;
  id: string;
  search?: Readonly<Record<string, string>>;
  /** The text of the link, in the place of the id. */
  text?: ReactNode;
};

/** An id that leads to what it names. */
export function IdLink({ to, id, search = {}, text }: IdLinkOptions) {
  return (
    <Link to={to} search={{ ...search, open: id } as never} className="id-link">
      {text ?? <code>{id}</code>}
    </Link>
  );
}
