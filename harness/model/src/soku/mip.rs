//! A game as an integer program under construction: its variables and the constraint families of 3SoKu.
//!
//! S1 to S5 are the formulation of N. Rizzo, CSP Modeling of IcoSoKu, University of Udine 2020, said linearly; S2' counts
//! tiles that can stand in for each other together; S6 and S7 are ours and strengthen the linear relaxation.

use puzzle::soku::Soku;

use super::options::{Bounds, Options, shows_what_was_placed};
use super::problem::{Game, OnFaces};
use crate::error::ModelError;
use crate::family::{Family, Role, Rows, SOKU_ONLY};
use crate::ir::{Domain, Model, Term, VarId};

/// Every family of 3SoKu, in the order in which they are added to a model.
pub(crate) static FAMILIES: [Family; 8] = [
    Family::new("S1", &SOKU_ONLY, &[Role::Placing], Rows::Soku(s1))
        .demanding("exactly one tile lies on each face, in one rotation")
        .from("Rizzo 2020, definition 3"),
    Family::new("S2", &SOKU_ONLY, &[Role::Counting], Rows::Soku(s2))
        .demanding("each of the distinguished tiles lies on exactly one face")
        .from("Rizzo 2020, definition 3 and listing 5"),
    Family::new("S2'", &SOKU_ONLY, &[Role::Counting], Rows::Soku(s2_sorts))
        .demanding("each sort of tile lies as often as there are copies of it")
        .from("Rizzo 2020, section 1.1; as C2' of Kino & Uno 2012"),
    Family::new("S3", &SOKU_ONLY, &[Role::Capacity], Rows::Soku(s3))
        .demanding("the weights around each vertex add up to its capacity")
        .from("Rizzo 2020, equation 1"),
    Family::new("S4", &SOKU_ONLY, &[Role::Strengthening], Rows::Soku(s4))
        .demanding("uniform tiles are not rotated (with S2: breaks a symmetry)")
        .from("Rizzo 2020, section 3.1 and listing 5")
        .beside("S2"),
    Family::new("S5", &SOKU_ONLY, &[Role::Strengthening], Rows::Soku(s5))
        .demanding("equal tiles lie in the order of the faces (with S2: breaks a symmetry)")
        .from("Rizzo 2020, section 3.1 and listing 5")
        .beside("S2"),
    Family::new("S6", &SOKU_ONLY, &[Role::Strengthening], Rows::Soku(s6))
        .demanding("a weight that no other tiles complete to the capacity does not lie there")
        .from("ours: bounds of what the other corners at the vertex can have"),
    Family::new("S7", &SOKU_ONLY, &[Role::Strengthening], Rows::Soku(s7))
        .demanding("bounds of how many weights around a vertex are k or more, for each k")
        .from("ours: Chvatal-Gomory cuts of S1 and S3"),
];

impl Game<Model> {
    /// A model with the variables x\[t,f,r\]: tile t lies on face f in rotation r, where options are those of tiles, or x\[s,f,r\]: a
    /// tile of sort s lies there and shows the least triple of its sort in rotation r. Where a tile was placed beforehand, what shows
    /// other weights is fixed to 0.
    pub fn with_x(name: &str, game: &Soku, options: Options) -> Result<Self, ModelError> {
        let mut made: Self = Game::new(name, game, options)?;
        for face in made.faces() {
            for option in made.options.all() {
                let name = format!("x_{}_{}_{}", option.item + 1, face + 1, option.rotation);
                let upper = f64::from(u8::from(shows_what_was_placed(game, face, option.weights)));
                made.model.add_variable(name, Domain::Binary, 0.0, upper);
            }
        }
        Ok(made)
    }

    /// The term 1 * x.
    fn term(&self, face: usize, option: usize) -> Term {
        (VarId(self.x(face, option)), 1.0)
    }

    /// Terms 1 * x of a tile or sort on a face, in any rotation.
    fn item_on(&self, item: usize, face: usize) -> impl Iterator<Item = Term> + '_ {
        self.options.items()[item].options.clone().map(move |option| self.term(face, option))
    }

    /// Terms 1 * x of a tile or sort anywhere, in any rotation.
    fn uses(&self, item: usize) -> Vec<Term> {
        self.faces().flat_map(|face| self.item_on(item, face)).collect()
    }

    /// Terms c(w) * x of everything that can lie around a vertex, by what weight w it has there.
    fn around(&self, vertex: usize, factor: impl Fn(u32) -> f64) -> Vec<Term> {
        let mut terms = Vec::new();
        for &(face, corner) in self.game.field.around(vertex) {
            for (index, option) in self.options.all().iter().enumerate() {
                terms.push((VarId(self.x(face, index)), factor(option.weights[corner])));
            }
        }
        terms
    }
}

impl OnFaces for Model {
    fn read(game: &Game<Self>, values: &[f64]) -> Result<Vec<(usize, usize)>, ModelError> {
        let mut lying = Vec::new();
        for face in game.faces() {
            for option in 0..game.options.all().len() {
                if game.model.is_one(values, VarId(game.x(face, option)))? {
                    lying.push((face, option));
                }
            }
        }
        Ok(lying)
    }

    fn write(game: &Game<Self>, lying: &[(usize, usize)]) -> Vec<f64> {
        let mut values = vec![0.0; game.model.variables().len()];
        lying.iter().for_each(|&(face, option)| values[game.x(face, option)] += 1.0);
        values
    }
}

/// S1: sum over t, r of x\[t,f,r\] = 1 for all f.
fn s1(b: &mut Game<Model>) {
    for face in b.faces() {
        let terms: Vec<Term> = (0..b.options.all().len()).map(|option| b.term(face, option)).collect();
        b.model.equal("S1", format!("S1_{}", face + 1), terms, 1.0);
    }
}

/// S2: sum over f, r of x\[t,f,r\] = 1 for all t.
fn s2(b: &mut Game<Model>) {
    for tile in 0..b.options.items().len() {
        let terms = b.uses(tile);
        b.model.equal("S2", format!("S2_{}", tile + 1), terms, 1.0);
    }
}

/// S2': sum over f, r of x\[s,f,r\] = number of tiles of sort s.
fn s2_sorts(b: &mut Game<Model>) {
    for sort in 0..b.options.items().len() {
        let (terms, copies) = (b.uses(sort), b.options.items()[sort].tiles.len() as f64);
        b.model.equal("S2'", format!("S2p_{}", sort + 1), terms, copies);
    }
}

/// S3: sum over the corners (f, i) at v and over t, r of w(t, r, i) x\[t,f,r\] = c(v), where w(t, r, i) is the weight that tile t in rotation r
/// has near corner i.
fn s3(b: &mut Game<Model>) {
    for vertex in 0..b.game.capacity.len() {
        let (terms, capacity) = (b.around(vertex, f64::from), f64::from(b.game.capacity[vertex]));
        b.model.equal("S3", format!("S3_{}", vertex + 1), terms, capacity);
    }
}

/// S4: sum over f and r other than 0 of x\[t,f,r\] = 0 for each uniform tile t. One that was placed beforehand stays in its rotation.
fn s4(b: &mut Game<Model>) {
    let uniform = |tile: &[u32; 3]| tile[0] == tile[1] && tile[1] == tile[2];
    let tiles: Vec<usize> = (0..b.game.tiles.len()).filter(|&tile| uniform(&b.game.tiles[tile])).collect();
    for tile in tiles {
        let placed = b.game.placed.iter().find(|placed| placed.tile == tile + 1);
        let due = placed.map_or(0, |placed| placed.orientation);
        let options = b.options.items()[tile].options.clone();
        let turned: Vec<usize> = options.filter(|&option| b.options.all()[option].rotation != due).collect();
        let on = |face| turned.iter().map(move |&option| (face, option));
        let terms: Vec<_> = b.faces().flat_map(on).map(|(face, option)| b.term(face, option)).collect();
        b.model.equal("S4", format!("S4_{}", tile + 1), terms, 0.0);
    }
}

/// S5: for tiles t and t' of one sort, t' the next after t, with p\[t,f\] = sum over r of x\[t,f,r\]:
/// sum over g <= f of p\[t',g\] <= sum over g < f of p\[t,g\] for all f
/// ([`Model::add_order`]). A tile that was placed beforehand lies where it was placed, and is no part of the order.
fn s5(b: &mut Game<Model>) {
    for placed in b.game.placed.clone() {
        let terms: Vec<_> = b.item_on(placed.tile - 1, placed.place - 1).collect();
        b.model.equal("S5", format!("S5_{}_placed", placed.tile), terms, 1.0);
    }
    for (first, next) in pairs(&b.game) {
        let lying = |face| [first, next].map(|number| b.item_on(number - 1, face).collect());
        let faces: Vec<_> = b.faces().map(lying).collect();
        b.model.add_order("S5", &format!("S5_{next}"), &faces);
    }
}

/// Numbers of tiles that follow each other within a sort, without those that were placed.
pub(super) fn pairs(game: &Soku) -> Vec<(usize, usize)> {
    let is_placed = |number: usize| game.placed.iter().any(|placed| placed.tile == number);
    let free = |tiles: &[usize]| tiles.iter().copied().filter(|&number| !is_placed(number)).collect::<Vec<_>>();
    let chains: Vec<_> = game.sorts().all().iter().map(|sort| free(&sort.tiles)).collect();
    chains.iter().flat_map(|chain| chain.windows(2).map(|pair| (pair[0], pair[1]))).collect()
}

/// S6: sum of all x\[t,f,r\] that show a weight which no other tiles complete to the capacity = 0 for each vertex that has one. The other
/// corners at the vertex get at most the greatest weights of as many tiles, and at least the least. Follows from S1, S2 and S3 together.
fn s6(b: &mut Game<Model>) {
    let bounds = Bounds::new(&b.game);
    for vertex in 0..b.game.capacity.len() {
        let strange = |weight| f64::from(u8::from(!bounds.completes(&b.game, vertex, weight)));
        let terms = b.around(vertex, strange);
        if terms.iter().any(|&(_, factor)| factor != 0.0) {
            b.model.equal("S6", format!("S6_{}", vertex + 1), terms, 0.0);
        }
    }
}

/// S7: bounds of how many weights around a vertex are k or more, by Chvatal-Gomory cuts of S1 and S3.
///
/// With d corners at v, least weight a and greatest weight z of all tiles, and b the greatest weight below k, let m corners have
/// weights of k or more. Then m k + (d - m) a <= c(v) <= m z + (d - m) b, which m = sum of the x\[t,f,r\] that show at least k there keeps within
/// whole numbers. A row for each vertex and each weight k > a for which that says anything.
fn s7(b: &mut Game<Model>) {
    let mut weights: Vec<u32> = b.game.tiles.iter().flatten().copied().collect();
    weights.sort_unstable();
    weights.dedup();
    let (Some(&least), Some(&greatest)) = (weights.first(), weights.last()) else { return };
    for vertex in 0..b.game.capacity.len() {
        let corners = b.game.field.around(vertex).len() as u64;
        let capacity = u64::from(b.game.capacity[vertex]);
        for pair in weights.windows(2) {
            let [below, k] = [pair[0], pair[1]];
            let sum = |m: u64, these: u32, others: u32| m * u64::from(these) + (corners - m) * u64::from(others);
            let possible = |m: &u64| sum(*m, k, least) <= capacity && capacity <= sum(*m, greatest, below);
            let mut counts = (0..=corners).filter(possible);
            let name = format!("S7_{}_{k}", vertex + 1);
            let (lower, upper) = match counts.next() {
                Some(first) => (first as f64, counts.next_back().unwrap_or(first) as f64),
                // No number is possible: neither is a solution.
                None => (corners as f64 + 1.0, corners as f64 + 1.0),
            };
            if lower > 0.0 || upper < corners as f64 {
                let terms = b.around(vertex, |weight| f64::from(u8::from(weight >= k)));
                b.model.add_row("S7", name, terms, lower, upper);
            }
        }
    }
}
