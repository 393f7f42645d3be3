//! What is left to lay of a game, without its names: faces, what their vertices lack, tiles by sorts.

use puzzle::soku::{Soku, rotated};

/// Faces that have no tile yet, and what has to lie on them.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Vertices of each face, clockwise.
    pub faces: Vec<[usize; 3]>,
    /// Of each vertex: what the weights on these faces add up to.
    pub capacity: Vec<u32>,
    /// Copies of each sort.
    pub stock: Vec<usize>,
    /// What a tile of each sort can show.
    pub shown: Vec<Vec<[u32; 3]>>,
}

impl Job {
    /// What is left of a game once the tiles lie that it has placed, and the indices of the faces that are left. `None` where totals or
    /// single vertices show that there is no solution.
    pub fn of(game: &Soku) -> Option<(Self, Vec<usize>)> {
        let sorts = game.sorts();
        let mut stock: Vec<usize> = sorts.all().iter().map(|sort| sort.tiles.len()).collect();
        let shown = sorts.all().iter().map(|sort| sort.shown.clone()).collect();
        let mut capacity = game.capacity.clone();
        let mut left: Vec<usize> = (0..game.field.faces().len()).collect();
        for placed in &game.placed {
            stock[sorts.all().iter().position(|sort| sort.tiles.contains(&placed.tile))?] -= 1;
            let weights = rotated(game.tiles[placed.tile - 1], placed.orientation);
            for (vertex, weight) in game.field.faces()[placed.place - 1].into_iter().zip(weights) {
                capacity[vertex] = capacity[vertex].checked_sub(weight)?;
            }
            left.retain(|&face| face != placed.place - 1);
        }
        let faces = left.iter().map(|&face| game.field.faces()[face]).collect();
        let job = Self { faces, capacity, stock, shown };
        let degrees = job.degrees();
        let lonely = job.capacity.iter().zip(&degrees).any(|(&capacity, &degree)| degree == 0 && capacity > 0);
        (game.obstacle().is_none() && !lonely).then_some((job, left))
    }

    /// How many of the faces meet at each vertex.
    pub fn degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.capacity.len()];
        for &vertex in self.faces.iter().flatten() {
            degrees[vertex] += 1;
        }
        degrees
    }

    /// Some of the faces with some of the tiles as a job of its own.
    pub fn part(&self, faces: &[usize], stock: Vec<usize>, capacity: Vec<u32>) -> Self {
        Self { faces: faces.iter().map(|&face| self.faces[face]).collect(), capacity, stock, shown: self.shown.clone() }
    }
}
