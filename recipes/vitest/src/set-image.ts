interface Deployment {
  metadata: { name: string; namespace: string; resourceVersion: string };
  spec: { template: { spec: { containers: { name: string; image: string }[] } } };
}

/** Gives the containers of a deployment a new image. Retries if another client was faster. */
export async function setImage(fetch: typeof globalThis.fetch, url: string, image: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const found = await fetch(url);
    if (!found.ok) throw new Error(`${url}: ${found.status}`);
    const deployment = (await found.json()) as Deployment;
    for (const container of deployment.spec.template.spec.containers) container.image = image;
    const { status } = await fetch(url, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(deployment),
    });
    if (status === 200) return;
    if (status !== 409) throw new Error(`${url}: ${status}`);
  }
  throw new Error(`${url}: too many conflicts`);
}
