/** A collector of spans on loopback, as small as a test needs it: it takes OTLP as JSON, and keeps every span. */
import type { TestContext } from "node:test";
import { serve } from "../../http/testdata/http.ts";

type Value = string | number | boolean;

/** A span as a test reads it. */
export interface Seen {
  /** `service.name` of who sent it. */
  readonly service: unknown;
  readonly name: string;
  readonly kind: "server" | "client" | "other";
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, Value>> }[];
}

type Attributes = readonly {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}[];

/** The part of OTLP that is read here; optional where JSON leaves out what is empty. */
interface Batch {
  resourceSpans: readonly {
    resource: { attributes: Attributes };
    scopeSpans: readonly {
      spans: readonly {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        attributes: Attributes;
        events?: readonly { name: string; attributes: Attributes }[];
        status?: { code?: number };
      }[];
    }[];
  }[];
}

const KINDS: Readonly<Record<number, Seen["kind"]>> = { 2: "server", 3: "client" };
const ERROR = 2;

function plain(attributes: Attributes): Record<string, Value> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue ?? doubleValue),
    ]),
  );
}

function spansOf({ resourceSpans }: Batch): Seen[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = plain(resource.attributes)["service.name"];
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, attributes, events = [], status }) => ({
        service,
        name,
        kind: KINDS[kind] ?? "other",
        traceId,
        spanId,
        parentId: parentSpanId === "" ? undefined : parentSpanId,
        isError: status?.code === ERROR,
        attributes: plain(attributes),
        events: events.map((event) => ({ name: event.name, attributes: plain(event.attributes) })),
      })),
    );
  });
}

export interface Collector {
  /** Its address, without a path. */
  readonly url: string;
  /** Paths that were posted to. */
  readonly paths: readonly string[];
  readonly spans: readonly Seen[];
}

export async function collector(t: TestContext): Promise<Collector> {
  const spans: Seen[] = [];
  const paths: string[] = [];
  const url = await serve(t, (req, res) => {
    paths.push(req.url ?? "");
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Batch));
      res.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  return { url, paths, spans };
}
