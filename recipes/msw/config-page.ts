// Part of a web page without test code: it calls the global fetch of the browser.

/** A setting as the page shows it. */
export interface Setting {
  readonly name: string;
  readonly color: string;
}

const base = "https://dashboard.test/cluster/api/v1/namespaces/shop/configmaps";
const ours = "labelSelector=app=shop";

async function call(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  // Every error response is a Status with a readable message.
  if (!response.ok) throw new Error((await response.json()).message);
  return response;
}

export async function settings(): Promise<Setting[]> {
  const { items } = await (await call(`${base}?${ours}`)).json();
  return items.map(({ metadata, data }: { metadata: { name: string }; data: { color: string } }) => ({
    name: metadata.name,
    color: data.color,
  }));
}

export async function paint(name: string, color: string): Promise<void> {
  await call(`${base}/${name}`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ data: { color } }),
  });
}

/** Calls back with the name of each changed object until the signal aborts. */
export async function watchSettings(changed: (name: string) => void, signal: AbortSignal): Promise<void> {
  const response = await call(`${base}?${ours}&watch=true`, { signal });
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) changed(JSON.parse(line).object.metadata.name);
  }
}
