/** Deletes the objects that match a label selector, page by page, and returns their names. */
async function reap(fetch, url, label) {
  const names = [];
  let token = "";
  do {
    const query = new URLSearchParams({ labelSelector: label, limit: "2", continue: token });
    const response = await fetch(`${url}?${query}`);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    const list = await response.json();
    for (const { metadata } of list.items) {
      await fetch(`${url}/${metadata.name}`, { method: "DELETE" });
      names.push(metadata.name);
    }
    token = list.metadata.continue ?? "";
  } while (token !== "");
  return names;
}

module.exports = { reap };
