import { useEffect, useRef, type ReactNode, type ComponentType } from "react";
import { type Answered, type Call, type DataOf, type ItemOf, pathOf, type OperationId } from "../../data/calls.ts";
import { useCall, usePages, type News } from "../call/use-call.ts";
import { ActionButton, type Act } from "../dialog/actions.tsx";
import { FilterBar, namesOf, queryOfFilters, type Filter } from "../fields/filter-bar.tsx";
import { useDo, useUrlState, type UrlState } from "../page/address.tsx";
import { AsCode } from "../shown/as-code.tsx";
import { Loaded, AsItStood, Empty, Failure, LoadingRows, Stale } from "../shown/states.tsx";
import { ScreenHeader } from "../shown/screen-header.tsx";
import type { Column } from "./columns.tsx";
import { useListKeys } from "./list-keys.ts";
import { Rows } from "./rows.tsx";
import { loneKey, useKeyDown } from "../page/keyboard.ts";

/** The action that adds an item: a button above the list, or in an empty one. The address calls it `create`. */
type Create = Pick<Act, "operationId" | "label" | "dialog">;

type ListOptions<Id extends OperationId> = {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  create?: Create;
  operationId: Id;
  filters?: readonly Filter[];
  /** The query for an address, when it is not the one of the filters. */
  query?(state: UrlState): NonNullable<Call["query"]>;
  columns: readonly Column<ItemOf<Id>>[];
  empty: { title: string; text: ReactNode };
  /** The pane next to the list when a row is open; see `detailOf`. */
  pane(id: string): ReactNode;
  above?: ReactNode;
  tabs?: ReactNode;
  /** Replaces the bar of `filters`. `isFiltered` says whether it hides any rows. */
  filterBar?: ReactNode;
  isFiltered?: boolean;
  /** A note below the rows, made from the pages. */
  note?(list: { pages: readonly Answered<Id>[]; found: number; hasMore: boolean }): ReactNode;
};

const pageSize = 50;

export function ListScreen<Id extends OperationId>(options: ListOptions<Id>) {
  const { title, about, actions, create, operationId, filters = [], pane, above, tabs } = options;
  const [state, setState] = useUrlState();
  const [what, setWhat] = useDo();
  const query = options.query?.(state) ?? queryOfFilters(filters, state);
  const call: Call<Id> = { operationId, query: { ...query, limit: pageSize } };
  const openId = state["open"];
  const close = (): void => setState({ open: undefined });
  useListKeys({ isOpen: openId !== undefined, close });
  useFocusOnClosing(openId);
  const createButton = create && (
    <ActionButton operationId={create.operationId} kind="primary" onClick={() => setWhat("create")}>
      {create.label}
    </ActionButton>
  );
  const isFiltered = options.isFiltered ?? filters.flatMap(namesOf).some((name) => state[name]);
  const empty = isFiltered ? (
    <p className="nothing">Nothing matches these filters.</p>
  ) : (
    <Empty title={options.empty.title} action={createButton}>
      {options.empty.text}
    </Empty>
  );
  return (
    <>
      <div className="screen" data-open={openId !== undefined}>
        <section className="list" aria-label={title}>
          <ScreenHeader
            title={title}
            about={about}
            actions={
              (actions || createButton) && (
                <>
                  {actions}
                  {createButton}
                </>
              )
            }
          />
          {tabs}
          {above}
          {options.filterBar ?? (filters.length > 0 && <FilterBar filters={filters} />)}
          <Pages {...options} call={call} empty={empty} openId={openId} />
          <AsCode call={call} />
        </section>
        {openId !== undefined && (
          <aside className="pane" aria-label="Details" key={openId}>
            <div className="pane-bar">
              <button type="button" className="button small quiet" onClick={close}>
                Close
              </button>
            </div>
            {pane(openId)}
          </aside>
        )}
      </div>
      {what === "create" && create?.dialog(() => setWhat(undefined))}
    </>
  );
}

type PagesOptions<Id extends OperationId> = Pick<ListOptions<Id>, "title" | "columns" | "note"> & {
  call: Call<Id>;
  empty: ReactNode;
  openId: string | undefined;
};

function Pages<Id extends OperationId>({ title, columns, note, call, empty, openId }: PagesOptions<Id>) {
  const list = usePages(call);
  const { items, error, isError, hasNextPage, dataUpdatedAt } = list;
  const retry = (): void => void list.refetch();
  return (
    <>
      {(isError || list.isPaused) && !list.isFetchNextPageError && items.length > 0 && (
        <Stale error={error} updatedAt={dataUpdatedAt} retry={retry} />
      )}
      {isError && items.length === 0 && <Failure error={error} retry={retry} />}
      {list.isPending && <LoadingRows />}
      {list.isSuccess && items.length === 0 && !hasNextPage && empty}
      <NewRows {...list.news} />
      {items.length > 0 && <Rows items={items} columns={columns} title={title} openId={openId} hasMore={hasNextPage} />}
      {list.data && note?.({ pages: list.data.pages, found: items.length, hasMore: hasNextPage })}
      {list.isLeafedThrough && <AsItStood updatedAt={dataUpdatedAt} loadAgain={() => void list.startAgain()} />}
      {list.isFetchNextPageError && <Failure error={error} />}
      {hasNextPage && (
        <button
          type="button"
          className="button more-rows"
          aria-disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchMore()}
        >
          {list.isFetchingNextPage ? "Loading…" : list.isLeafedThrough ? "Load 1,000 more" : "Load more"}
        </button>
      )}
    </>
  );
}

/** Moves the focus to the row of an item that was closed from within. */
function useFocusOnClosing(openId: string | undefined): void {
  const before = useRef(openId);
  useEffect(() => {
    if (openId === undefined && before.current !== undefined && document.activeElement === document.body) {
      const row = `.row-link[data-id="${CSS.escape(before.current)}"]`;
      document.querySelector<HTMLElement>(row)?.focus({ preventScroll: true });
    }
    before.current = openId;
  }, [openId]);
}

type DetailOptions<Id extends OperationId> = {
  call: Call<Id>;
  /** How often to request it again when a change is expected soon; see `useCall`. */
  everyMs?: number | ((data: DataOf<Id>) => number) | undefined;
  children(data: DataOf<Id>): ReactNode;
};

export function Detail<Id extends OperationId>({ call, everyMs, children }: DetailOptions<Id>) {
  return (
    <Loaded of={useCall(call, everyMs === undefined ? {} : { everyMs })} rows={4}>
      {({ data }) => (
        <>
          {children(data)}
          <AsCode call={call} />
        </>
      )}
    </Loaded>
  );
}

export function detailOf<Id extends OperationId>(
  operationId: Id,
  Shown: ComponentType<{ of: DataOf<Id> }>,
  everyMs?: DetailOptions<Id>["everyMs"],
) {
  return (id: string): ReactNode => (
    <Detail call={{ operationId, path: pathOf(operationId, id) }} everyMs={everyMs}>
      {(data) => <Shown of={data} />}
    </Detail>
  );
}

/** Says how many rows wait; pressed, or with the key `n`, they are put on top, and the list begins there. */
function NewRows({ count, isMore, show }: News) {
  const isWaiting = count > 0;
  useKeyDown(
    (event) => {
      const isShown = loneKey(event) === "n";
      if (isShown) {
        show();
      }
      return isShown;
    },
    { isWanted: isWaiting },
  );
  return (
    <div className="new-rows" role="status">
      {isWaiting && (
        <button type="button" className="button small" onClick={show}>
          {count}
          {isMore && "+"} new <kbd>n</kbd>
        </button>
      )}
    </div>
  );
}
