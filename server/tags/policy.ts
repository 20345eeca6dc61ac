// Anyone signed in may add tags, and give them to records or take them away.

/** Its creator may rename and delete a tag while only their own records have it. */
export const ownerOf = (tag: { createdBy: string | null; isOnRecordsOfOthers: boolean }): string | null =>
  tag.isOnRecordsOfOthers ? null : tag.createdBy
