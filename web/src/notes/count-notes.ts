/** `1 note`, `2,400 notes`. */
export const countNotes = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'note' : 'notes'}`
